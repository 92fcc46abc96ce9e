// The page that lends the camera of the device it is opened on.

import { $, h, say, show } from "./dom.js";
import { LentCamera, photograph } from "./lending.js";
import { t } from "./texts.js";

const REMEMBERED = "camera-chosen";
const camera = new LentCamera($("preview"), tell);

function tell({ state, text }) {
  $("sending").dataset.state = state;
  $("sending").textContent = text;
  const on = state === "starting" || state === "sending" || state === "lost";
  $("start").hidden = on;
  $("stop").hidden = !on;
  $("awake").textContent = state !== "sending" ? "" : camera.awake ? t("The screen stays on while this page is open.") : t("Keep the screen on: when it goes dark, the camera stops.");
}

async function list() {
  const found = await camera.devices();
  const chosen = camera.stream?.getVideoTracks()[0]?.getSettings().deviceId;
  show($("which"), found.map((one) => h("option", { value: one.id, selected: one.id === chosen }, one.name)));
  $("which-box").hidden = found.length < 2;
}

async function open(id) {
  try {
    await camera.open(id);
  } catch (error) {
    if (id && error.name === "OverconstrainedError") return open(null);
    $("preview-none").textContent = why(error);
    return false;
  }
  $("preview-none").hidden = true;
  await list();
  return true;
}

function why(error) {
  if (error.name === "NotAllowedError") return t("The browser may not use the camera: allow it in the address line, then load this page again.");
  if (error.name === "NotFoundError") return t("This device has no camera: use another device, or photographs.");
  if (error.name === "NotReadableError") return t("The camera is in use by another program: close that, then start again.");
  return t("The camera can't be used: {why}", { why: error.message });
}

$("which").addEventListener("change", async () => {
  localStorage.setItem(REMEMBERED, $("which").value);
  await open($("which").value);
});
$("start").addEventListener("click", async () => {
  if (camera.stream || (await open(localStorage.getItem(REMEMBERED)))) await camera.start();
});
$("stop").addEventListener("click", () => camera.stop());
$("photo").addEventListener("change", async () => {
  const [file] = $("photo").files;
  if (!file) return;
  $("photo-said").textContent = t("Sending the photograph");
  try {
    if (camera.running) await camera.stop();
    await photograph(file);
    $("photo-said").textContent = t("The photograph is there. Take the next one after the next move.");
  } catch (error) {
    $("photo-said").textContent = "";
    say(error instanceof TypeError ? t("The program does not answer: is it still running?") : error.message);
  }
  $("photo").value = "";
});

if (window.isSecureContext && navigator.mediaDevices) {
  $("live-part").hidden = false;
  navigator.mediaDevices.addEventListener("devicechange", () => list());
  await open(localStorage.getItem(REMEMBERED));
} else {
  $("insecure").hidden = false;
  $("insecure-why").textContent = window.isSecureContext
    ? t("This browser lends no camera to pages.")
    : t("This page is not secure: browsers lend a running camera to secure pages only. Photographs work all the same.");
}
