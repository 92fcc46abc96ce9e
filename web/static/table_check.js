// The light and distance check: what the present picture says, line by line, as long as somebody looks at it.

import { $, h, show } from "./dom.js";

const EVERY = 1000;

export class TableCheck {
  constructor() {
    this.look();
  }

  async look() {
    if (!document.hidden) {
      const told = await fetch("/api/table-check").then((response) => response.json()).catch(() => null);
      if (told?.ok) this.show(told);
    }
    setTimeout(() => this.look(), EVERY);
  }

  show({ well, text, lines }) {
    if ($("check-text").textContent !== text) $("check-text").textContent = text;
    $("check-text").dataset.well = well ? "yes" : "no";
    show($("check-lines"), lines.map((line) =>
      h("li", { class: line.good ? "good" : "bad", "data-aspect": line.aspect }, h("span", { class: "mark-of", "aria-hidden": "true" }, line.good ? "✓" : "✗"), h("span", {}, line.text))));
  }
}
