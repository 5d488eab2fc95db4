/** The page that `aq-gym ui` opens with. */

const by = (id) => document.getElementById(id);

/** Reports of one run and of several. */
export function startPage() {
  const ticked = () => [...document.querySelectorAll("#compare :checked")];
  const allow = () => {
    if (by("compare-runs")) by("compare-runs").disabled = !ticked().length;
  };
  // The list is replaced while runs are in progress.
  new MutationObserver(allow).observe(by("start"), { childList: true });
  by("start").addEventListener("change", allow);
  by("start").addEventListener("submit", (event) => {
    event.preventDefault();
    const names = ticked().map((box) => box.value.replace(/^report\/|\/$/g, ""));
    location.href = `report/${names.join(",")}/`;
  });
}
