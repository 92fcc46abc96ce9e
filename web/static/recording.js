// While pictures are kept every page says so, whichever it is.

import { t } from "./texts.js";

const EVERY_MS = 4000;
const sign = document.createElement("p");
sign.id = "recording";
sign.className = "recording";
sign.setAttribute("role", "status");
document.body.prepend(sign);

export async function ask() {
  if (document.hidden) return;
  const told = await fetch("/api/recording").then((answer) => answer.json(), () => null);
  if (told) tell(told.on);
}

export function tell(on) {
  const text = on ? t("Pictures of the table are being kept") : "";
  if (sign.textContent !== text) sign.textContent = text;
}

ask();
setInterval(ask, EVERY_MS);
document.addEventListener("visibilitychange", ask);
