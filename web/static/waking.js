// A page of which some part did not load would stay at its first words for ever. This one script needs no other: it says
// so, and offers to load the page anew; a page on which nobody can have done anything yet loads anew by itself.

(() => {
  const { said, again } = document.currentScript.dataset;
  const PATIENCE_MS = 10000;
  const AGAIN_MS = 20000;
  const running = () => document.documentElement.dataset.running === "yes";
  const waits = () => Boolean(document.getElementById("headline"));

  // Not while the program is stopped: then there would be no page at all.
  const anew = () => fetch(location.href, { method: "HEAD" }).then((answer) => { if (answer.ok && !running()) location.reload(); }, () => {});

  function tell() {
    if (running() || document.querySelector(".stopped")) return;
    const [box, text, button] = ["div", "p", "button"].map((tag) => document.createElement(tag));
    box.className = "stopped";
    box.setAttribute("role", "alert");
    document.body.prepend(box);
    text.textContent = said;
    button.type = "button";
    button.textContent = again;
    button.addEventListener("click", () => location.reload());
    box.append(text, button);
    if (waits()) setInterval(anew, AGAIN_MS);
    const late = setInterval(() => { if (running()) { box.remove(); clearInterval(late); } }, 500);
  }

  const once = () => (document.body ? tell() : window.addEventListener("load", tell));
  window.addEventListener("error", (event) => { if (event.target.tagName === "SCRIPT") once(); }, true);
  setTimeout(() => { if (waits()) tell(); }, PATIENCE_MS);
})();
