// Which camera is followed: the computer's by name, one in the network, a recording; with uploads.

import { $, h, say, show } from "./dom.js";
import { t, tn } from "./texts.js";

async function ask(path, body) {
  try {
    const response = await fetch(path, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) say(answer.error);
    return response.ok ? answer : null;
  } catch {
    say(t("The program does not answer: is it still running?"));
    return null;
  }
}

export class CameraChoice {
  constructor() {
    this.now = null;
    $("cameras-look").addEventListener("click", () => this.look());
    $("to-demo").addEventListener("click", () => this.choose({ kind: "demo" }));
    $("address-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const address = $("address").value;
      if (await this.choose({ kind: "address", address })) $("address").value = ""; // it may hold a password
    });
    $("files").addEventListener("change", () => this.upload([...$("files").files]));
    this.look();
  }

  // What the program says of the camera that it follows.
  tell(eye) {
    $("camera-now").textContent = eye.text;
    $("camera-now").dataset.ok = eye.ok ? "yes" : "no";
  }

  async look() {
    $("cameras-look").disabled = true;
    const told = await ask("/api/cameras");
    $("cameras-look").disabled = false;
    if (told) this.show(told);
  }

  show(told) {
    this.most = told.most_bytes;
    const now = (kind, name) => told.now?.kind === kind && told.now.name === name;
    const button = (chosen, text, wanted) => h("button", { type: "button", class: chosen ? "source chosen" : "source", "aria-pressed": String(chosen), "data-key": text, onclick: () => this.choose(wanted) }, text);
    show($("cameras"), told.cameras.length
      ? told.cameras.map((one) => button(now("camera", one.name), one.name, { kind: "camera", index: one.index, name: one.name }))
      : h("p", { class: "hint" }, t("No camera is plugged into this computer.")));
    $("to-demo").setAttribute("aria-pressed", String(told.now?.kind === "demo"));
    const words = (one) => (one.pictures ? tn("{name}: {n} picture", "{name}: {n} pictures", one.pictures, { name: one.name }) : one.name);
    const sent = (one) => one.name.startsWith("upload-") && !now("recording", one.name);
    show($("recordings"), told.recordings.map((one) => h("div", { class: "recording-row" },
      button(now("recording", one.name), words(one), { kind: "recording", name: one.name }),
      sent(one) ? h("button", { type: "button", class: "delete", "aria-label": t("Delete {name}", { name: one.name }), "data-key": `delete ${one.name}`, onclick: () => this.delete(one.name) }, t("Delete")) : null)));
    $("recordings-folder").textContent = t("What is larger than {size} MB is put into {folder} by hand.", { size: Math.round(this.most / 1e6), folder: told.folder });
  }

  async choose(wanted) {
    const done = await ask("/api/camera", wanted);
    if (done) await this.look();
    return done !== null;
  }

  async delete(name) {
    if (window.confirm(t("Delete {name}? It can't be brought back.", { name })) && await ask("/api/recordings/delete", { name })) await this.look();
  }

  // One file after the other; pictures that are sent together stay together.
  async upload(files) {
    let album = "";
    let sent = 0;
    $("files").disabled = true;
    for (const file of files.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))) {
      const name = await this.send(file, album);
      if (name === null) break;
      if (file.type.startsWith("image/")) album = name;
      sent += 1;
    }
    $("sending").hidden = true;
    $("files").disabled = false;
    $("files").value = "";
    $("sending-said").textContent = sent ? tn("{n} file is there: choose it above.", "{n} files are there: choose them above.", sent) : "";
    await this.look();
  }

  // Gives the name that the file got; null where it was not taken, which is said.
  send(file, album) {
    if (this.most && file.size > this.most) {
      say(t("{name}: {size} MB is too large to be sent; put it into the folder below and look again.", { name: file.name, size: Math.round(file.size / 1e6) }));
      return Promise.resolve(null);
    }
    return new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open("POST", `/api/uploads?name=${encodeURIComponent(file.name)}&album=${encodeURIComponent(album)}`);
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.upload.addEventListener("progress", (event) => {
        $("sending").hidden = false;
        $("sending").value = event.loaded / event.total;
        $("sending-said").textContent = t("Sending {name}", { name: file.name });
      });
      request.addEventListener("loadend", () => {
        let answer = {};
        try { answer = JSON.parse(request.responseText); } catch { /* it did not answer */ }
        if (request.status !== 200) say(answer.error ?? t("{name}: it did not arrive; send it again.", { name: file.name }));
        done(request.status === 200 ? answer.name : null);
      });
      request.send(file);
    });
  }
}
