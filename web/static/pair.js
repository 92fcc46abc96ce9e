// The code is given to the program; a link brings it behind the #, where no log and no other page sees it.

import { $ } from "./dom.js";
import { t } from "./texts.js";

async function enter(code) {
  try {
    const response = await fetch("/api/pair", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }),
    });
    const answer = await response.json();
    if (response.ok) location.replace(answer.page);
    else $("pair-wrong").textContent = answer.error;
  } catch {
    $("pair-wrong").textContent = t("The program does not answer: is it still running?");
  }
}

$("pair-form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter($("code").value);
});

function fromLink() {
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (code) enter(code);
}

window.addEventListener("hashchange", fromLink);
fromLink();
