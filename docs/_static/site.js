/** A button beside each block of code that copies it. */

for (const block of document.querySelectorAll("div.highlight")) {
  if (block.closest(".highlight-text")) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy this code");
  button.addEventListener("click", async () => {
    const text = block.querySelector("pre").textContent;
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Refused",
    );
  });
  block.append(button);
}
