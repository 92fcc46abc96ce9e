// The view as somebody chooses it in this browser: colours, type, suits, and what is to be heard.

import { $ } from "./dom.js";

const { viewChoice } = globalThis;

for (const input of $("view-dialog").querySelectorAll("input")) {
  const kept = viewChoice.read(input.name);
  if (input.type === "checkbox") input.checked = kept === "on";
  else if (kept) input.checked = input.value === kept;
  input.addEventListener("change", () => {
    viewChoice.keep(input.name, input.type === "checkbox" ? (input.checked ? "on" : "off") : input.value);
    if (input.name === "letters") { location.reload(); return; } // They stand all over the page.
    document.dispatchEvent(new CustomEvent("view-chosen", { detail: input.name }));
  });
}
$("view").addEventListener("click", () => $("view-dialog").showModal());
