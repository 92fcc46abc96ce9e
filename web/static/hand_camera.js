// The own hand by camera: live where the page may use one, else as a photograph. A picture goes to the program alone,
// which says what cards it sees and forgets it.

import { $, h, say } from "./dom.js";
import { answered } from "./letters.js";
import { t } from "./texts.js";

const PAUSE_MS = 350;
const LONGEST_MS = 60000;
const SIDE = 1920;

const complete = (seen) => seen.cards.length === seen.size && !seen.unsure.length;
// How near a picture comes to showing the whole hand.
const worth = (seen) => Math.min(seen.cards.length, seen.size) - Math.max(0, seen.cards.length - seen.size) - seen.unsure.length / 2;

export class HandCamera {
  constructor(seat, onseen) {
    this.path = `/api/seat/${seat}/picture`;
    this.onseen = onseen;
    this.live = Boolean(window.isSecureContext && navigator.mediaDevices?.getUserMedia);
    this.stream = null;
    this.run = 0;
    $("look").addEventListener("click", () => this.open());
    $("enough").addEventListener("click", () => { this.close(); $("tell").focus(); });
    $("photo").addEventListener("change", () => this.photograph());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.close(); });
    window.addEventListener("pagehide", () => this.close());
    this.draw();
  }

  draw() {
    const on = this.stream !== null;
    $("viewfinder").hidden = !on;
    $("enough").hidden = !on;
    $("look").hidden = on || !this.live;
    $("photo-label").hidden = on;
  }

  async open() {
    const run = ++this.run;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: SIDE }, height: { ideal: 1080 } } });
      if (run !== this.run) { stop(stream); return; }
      this.stream = stream;
      $("video").srcObject = stream;
      this.draw();
      $("enough").focus();
      await $("video").play();
      await this.watch(run);
    } catch {
      if (run !== this.run) return;
      this.close();
      this.live = false;
      this.draw();
      say(t("The camera can't be used here: take a photograph, or tap the cards."));
    }
  }

  // One picture after the other; the best of them counts, and two in a row that show the whole hand are enough.
  async watch(run) {
    let [best, before] = [null, ""];
    const until = performance.now() + LONGEST_MS;
    while (run === this.run && performance.now() < until) {
      const seen = await this.send(await jpeg($("video"), $("video").videoWidth, $("video").videoHeight));
      if (run !== this.run) return;
      if (!seen) { this.close(); return; }
      if (!best || worth(seen) >= worth(best)) { best = seen; this.onseen(best); }
      const now = complete(seen) ? seen.cards.join(" ") : "";
      if (now && now === before) { this.close(); $("tell").focus(); return; }
      before = now;
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    if (run === this.run) this.close();
  }

  close() {
    this.run += 1;
    if (this.stream) stop(this.stream);
    this.stream = null;
    $("video").srcObject = null;
    this.draw();
  }

  async photograph() {
    const [file] = $("photo").files;
    $("photo").value = "";
    if (!file) return;
    const run = ++this.run;
    $("seen").textContent = t("Looking at the photograph ...");
    const picture = await createImageBitmap(file).catch(() => null);
    const seen = picture ? await this.send(await jpeg(picture, picture.width, picture.height)) : null;
    if (!picture) say(t("This file is no picture that this browser can show: take another."));
    if (run !== this.run) return;
    if (seen) this.onseen(seen); else $("seen").textContent = "";
  }

  // What the program sees in it; null where it refuses, which is said.
  async send(body) {
    try {
      for (let tries = 0; ; tries += 1) {
        const response = await fetch(this.path, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body });
        const answer = await answered(response);
        if (response.ok) return answer;
        if (response.status !== 503 || tries > 4) { say(answer.error); return null; }
        await new Promise((done) => setTimeout(done, 500));
      }
    } catch {
      say(t("The program does not answer: is it still running?"));
      return null;
    }
  }
}

function stop(stream) {
  for (const track of stream.getTracks()) track.stop();
}

// A picture as JPEG, small enough to be sent; drawing it leaves out what a file says of place and time.
function jpeg(picture, width, height) {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  const canvas = h("canvas", { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
}
