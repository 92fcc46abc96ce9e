// A browser's camera, lent to the table: one picture at a time, the next one only after the last was answered.

import { h } from "./dom.js";
import { t } from "./texts.js";

const PAUSE = 120;
const AGAIN = 1500;
const LONGEST_SIDE = 2400;

// Which page sends: the program takes the pictures of one page only.
export const sender = sessionStorage.getItem("camera-sender") ?? [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
sessionStorage.setItem("camera-sender", sender);

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const post = (path, body) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive: true });

// Say what went wrong in the program's own line.
async function refusal(response) {
  return (await response.json().catch(() => ({}))).error ?? t("The program answered with {status}.", { status: response.status });
}

// The table is followed through this page's pictures from now on; `kind` is "page" or "photographs".
export async function lend(kind) {
  const response = await post("/api/camera", { kind, sender });
  if (!response.ok) throw new Error(await refusal(response));
}

// Send a JPEG; gives the status. What is refused is thrown in one line, but for another camera that is in use (409).
// While another picture is being read (503) it is sent again.
async function sendPicture(jpeg) {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`/api/camera-frame?sender=${sender}`, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg });
    if (response.ok || response.status === 409) return response.status;
    if (response.status !== 503 || tries > 8) throw new Error(await refusal(response));
    await wait(PAUSE * tries);
  }
}

// A picture on a canvas, small enough to be sent.
function drawn(picture, width, height, canvas = h("canvas", {})) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const jpegOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.88));

export class LentCamera {
  // `told` is called with what happens: {state: "starting" | "sending" | "lost" | "elsewhere" | "stopped", text}.
  constructor(video, told) {
    this.video = video;
    this.told = told;
    this.stream = null;
    this.running = false;
    window.addEventListener("pagehide", () => { if (this.running) post("/api/camera-gone", { sender }); });
    document.addEventListener("visibilitychange", () => { if (this.running && !document.hidden) this.stayAwake(); });
  }

  // The cameras of this device; their names are told only once the camera was allowed.
  async devices() {
    const found = await navigator.mediaDevices.enumerateDevices();
    return found.filter((one) => one.kind === "videoinput").map((one, index) => ({ id: one.deviceId, name: one.label || t("Camera {n}", { n: index + 1 }) }));
  }

  async open(id) {
    this.close();
    const which = id ? { deviceId: { exact: id } } : { facingMode: "environment" };
    this.stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, width: { ideal: 1920 }, height: { ideal: 1080 } } });
    this.id = id;
    this.video.srcObject = this.stream;
    this.ended = false;
    this.stream.getVideoTracks()[0].addEventListener("ended", () => { this.ended = true; });
    await this.video.play();
  }

  close() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    this.video.srcObject = null;
  }

  async start() {
    if (this.running) return;
    try {
      this.told({ state: "starting", text: t("Starting") });
      await lend("page");
      await this.sendOn();
    } catch (error) {
      this.told({ state: "stopped", text: error.message });
    }
  }

  async stop() {
    this.running = false;
    await this.sending?.catch(() => {}); // the picture under way comes before the word that it was the last
    await post("/api/camera-gone", { sender }).catch(() => {});
    this.told({ state: "stopped", text: t("Stopped: the table is not seen through this device now.") });
  }

  // Pictures one by one, until somebody stops it or another camera is chosen. A camera that is lost is tried again.
  async sendOn() {
    this.running = true;
    await this.stayAwake();
    try {
      this.sending = this.sendPictures();
      await this.sending;
    } finally {
      this.running = false;
      this.lock?.release().catch(() => {});
    }
  }

  async sendPictures() {
    const canvas = h("canvas", {});
    let failed = false;
    while (this.running) {
      if (this.ended || !this.stream) {
        if (!failed) await post("/api/camera-gone", { sender }).catch(() => {});
        failed = true;
        this.told({ state: "lost", text: t("The camera was lost: plug it in again, or allow it again.") });
        await wait(AGAIN);
        await this.open(this.id).catch(() => {});
        continue;
      }
      if (this.video.readyState < 2 || !this.video.videoWidth) { await wait(PAUSE); continue; }
      const jpeg = await jpegOf(drawn(this.video, this.video.videoWidth, this.video.videoHeight, canvas));
      const begun = performance.now();
      const status = await sendPicture(jpeg).catch((error) => (error instanceof TypeError ? 0 : Promise.reject(error)));
      if (status === 409) {
        this.told({ state: "elsewhere", text: t("Another camera follows the table now. Start again to use this one.") });
        return;
      }
      failed = false;
      if (status === 0) {
        this.told({ state: "lost", text: t("The program does not answer: is it still running?") });
        await wait(AGAIN);
        continue;
      }
      this.told({ state: "sending", text: t("Sending: the last picture took {ms} ms.", { ms: Math.round(performance.now() - begun) }) });
      await wait(PAUSE);
    }
  }

  // The screen stays on where the browser can do that.
  async stayAwake() {
    try {
      this.lock = await navigator.wakeLock.request("screen");
      this.awake = true;
    } catch {
      this.awake = false;
    }
  }
}

// A photograph as a JPEG that is small enough to be sent; a file that is no picture goes as it is, to be told so.
export async function photograph(file) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  let jpeg = file;
  if (bitmap) jpeg = await jpegOf(drawn(bitmap, bitmap.width, bitmap.height));
  else if (file.size > 4_000_000) throw new Error(t("{name}: is no picture that this browser can read; choose a JPEG or PNG", { name: file.name }));
  await lend("photographs");
  await sendPicture(jpeg);
}
