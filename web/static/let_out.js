// Whoever was let in once and is not any more is told so, and what to do; the table beneath is as it was then.

import { t } from "./texts.js";

const element = (tag, text, props = {}) => Object.assign(document.createElement(tag), { textContent: text }, props);

export function letOut(out) {
  const before = document.body.dataset.out === "yes";
  if (before && !out) location.reload(); // let in again, in another window: all is asked for anew
  if (before || !out) return;
  const box = element("div", "", { className: "stopped" });
  box.setAttribute("role", "alert");
  document.body.prepend(box);
  document.body.dataset.out = "yes";
  box.append(
    element("p", t("This device is not let in any more, and what stands here is old. Ask the host for a new code.")),
    element("a", t("Give the code"), { href: "/pair" }),
  );
}
