// The evening's page is made by the program; here it is fetched anew when something counts otherwise.

import { $ } from "./dom.js";
import { follow } from "./live.js";

async function refresh() {
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("page");
  const open = [...document.querySelectorAll("#page details")].map((one) => one.open);
  const focused = document.activeElement?.getAttribute("href");
  $("page").replaceWith(document.adoptNode(fresh));
  [...document.querySelectorAll("#page details")].forEach((one, place) => { one.open = open[place] ?? false; });
  if (focused) document.querySelector(`#page a[href="${CSS.escape(focused)}"]`)?.focus();
  arm();
}

function arm() {
  $("print").hidden = false;
  $("print").addEventListener("click", () => window.print());
}

arm();
if (!$("page").dataset.earlier) {
  const told = (state) => JSON.stringify([state.evening, state.setup?.names]);
  let shown;
  follow({
    link: () => {},
    state: (state) => {
      if (state.evening === null) return; // while a deal is played nothing counts otherwise
      const before = shown;
      shown = told(state);
      if (before === undefined ? state.seq !== Number($("page").dataset.seq) : before !== shown) refresh();
    },
  });
}
