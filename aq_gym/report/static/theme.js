/** The menu of the themes: light, dark, and the theme of the system. */

const KEY = "aq-theme";

export function themeMenu() {
  const menu = document.getElementById("theme");
  if (!menu) return;
  menu.value = kept();
  const set = () => {
    if (menu.value) document.documentElement.dataset.theme = menu.value;
    else delete document.documentElement.dataset.theme;
    document.dispatchEvent(new Event("aq-theme"));
  };
  menu.addEventListener("change", () => {
    keep(menu.value);
    set();
  });
  set();
}

// A page from disk may have no storage, depending on the browser's settings.
function kept() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function keep(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Then the choice lasts as long as the page.
  }
}
