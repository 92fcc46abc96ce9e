// The switch for keeping pictures, for the host; and the one button that deletes them all.

import { $, say } from "./dom.js";
import { tell } from "./recording.js";
import { t, tn } from "./texts.js";

async function command(path, body) {
  const answer = await fetch(path, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok) { say(told?.error ?? t("The program does not answer: is it still running?")); return; }
  const size = (told.bytes / 1e6).toFixed(1);
  $("pictures-now").textContent = told.trouble || (told.pictures ? tn("{n} picture is kept, {size} MB.", "{n} pictures are kept, {size} MB.", told.pictures, { size }) : t("No picture is kept."));
  $("pictures-switch").hidden = false;
  $("pictures-switch").setAttribute("aria-pressed", String(told.on));
  $("pictures-switch").textContent = told.on ? t("Keep no more pictures") : t("Keep pictures");
  $("pictures-delete").hidden = !told.pictures;
  tell(told.on);
}

$("pictures-switch").addEventListener("click", () => command("/api/recording", { on: $("pictures-switch").getAttribute("aria-pressed") !== "true" }));
$("pictures-delete").addEventListener("click", () => {
  if (window.confirm(t("Delete all pictures that were kept? The deals themselves stay."))) command("/api/recording/delete", {});
});
command("/api/recording");
