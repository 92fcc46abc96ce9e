// The live picture, and over it the outlines of the cards that were recognised in it.

import { $, cardSign, cardWords, h, isRed, s, show } from "./dom.js";

export class LivePicture {
  constructor(onpick) {
    this.onpick = onpick;
    this.view = null;
    this.dead = new Set();
    this.wrong = new Set();
    this.wanted = new Map();
    this.names = [];
    this.shown = -1;
    this.loading = false;
    this.image = $("live");
    this.image.addEventListener("load", () => this.loaded());
    this.image.addEventListener("error", () => { this.loading = false; });
    new ResizeObserver(() => this.draw()).observe($("frame"));
  }

  // A new view: its picture is fetched, and its outlines are drawn together with it.
  update(view) {
    this.view = view;
    $("frame").dataset.moving = view.stillness;
    if (view.width) $("frame").style.aspectRatio = `${view.width} / ${view.height}`;
    this.fetchNext();
    this.draw();
  }

  fetchNext() {
    if (this.loading || !this.view?.frame || this.view.frame === this.shown) return;
    this.loading = true;
    this.asked = this.view.frame;
    this.image.src = `/picture.jpg?frame=${this.view.frame}`;
  }

  loaded() {
    this.loading = false;
    this.shown = this.asked;
    this.image.hidden = false;
    $("no-picture").hidden = true;
    this.fetchNext();
  }

  // Whose pile is whose, which cards nobody can mate any more, and which lie wrong, or should lie where.
  tell(state) {
    this.names = state.setup.names;
    this.dead = new Set(state.table.filter((group) => group.dead).flatMap((group) => group.cards));
    const wrong = state.disagreement;
    this.wrong = new Set([...(wrong?.unexpected ?? []).map((one) => one.card), ...state.alarms.flatMap((alarm) => alarm.cards)]);
    this.wanted = new Map((wrong?.missing ?? []).map((one) => [one.place, (wrong.missing.filter((other) => other.place === one.place).map((other) => cardSign(other.card))).join(" ")]));
    this.draw();
  }

  draw() {
    const view = this.view;
    if (!view) return;
    const svg = $("outlines");
    const width = $("frame").clientWidth || 800;
    const height = $("frame").clientHeight || 450;
    // A picture comes several times a second; its outlines are drawn anew only when they have changed.
    const key = JSON.stringify([width, height, view.cards, view.zones, [...this.dead], [...this.wrong], [...this.wanted], this.names]);
    if (key === this.drawn) return;
    this.drawn = key;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const points = (polygon) => polygon.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`).join(" ");
    const zones = (view.zones ?? []).map((zone) => s("polygon", { class: this.wanted.has(zone.zone) ? "zone wanted" : "zone", points: points(zone.polygon) }));
    const wanted = (view.zones ?? []).filter((zone) => this.wanted.has(zone.zone)).map((zone) => this.wantedName(zone, width, height));
    const names = (view.zones ?? []).filter((zone) => zone.seat || zone.part === "stock").map((zone) => this.zoneName(zone, width, height));
    show(svg, zones, view.cards.map((card) => this.outline(card, points, width, height)), names, wanted);
    for (const name of svg.querySelectorAll(".zone-name, .wanted-name")) this.back(name);
    $("legend").hidden = !view.cards.length || $("frame").classList.contains("editing");
  }

  outline(card, points, width, height) {
    const onTable = ["table", "left", "right"].includes(card.zone);
    // A card under others is hardly seen: how sure its name is says nothing then, the pile is known from before.
    const doubtful = (card.confidence < 0.85 || card.card.includes("?")) && (onTable || !card.covered);
    const classes = ["card", onTable ? "" : "piled", this.dead.has(card.card) && onTable ? "dead" : "", this.wrong.has(card.card) ? "wrong" : "", doubtful ? "doubtful" : "", card.covered ? "covered" : ""].join(" ");
    const pick = () => this.onpick(card);
    const name = `${cardWords(card.card)}${doubtful ? ", not sure" : ""}`;
    return s(
      "g",
      { class: classes, tabindex: 0, role: "button", "aria-label": name, "data-card": card.card, "data-key": `track-${card.track}`, onclick: pick, onkeydown: (event) => { if (event.key === "Enter") pick(); } },
      s("title", {}, name),
      s("polygon", { points: points(card.quad) }),
      card.covered && !onTable ? null : this.tag(card, width, height),
    );
  }

  // A dark strip behind a name, so that it can be read over whatever lies there.
  back(name) {
    const { x, y, width, height } = name.lastChild.getBBox();
    name.prepend(s("rect", { x: x - 6, y: y - 1, width: width + 12, height: height + 2, rx: 6 }));
  }

  // A seat's name stands at the edge of the picture where its pile lies, at the pile's end: cards fill its middle.
  zoneName(zone, width, height) {
    const [x, y] = zone.polygon.reduce(([a, b], [c, d]) => [a + c / zone.polygon.length, b + d / zone.polygon.length], [0, 0]);
    const flat = Math.abs(x - 0.5) < Math.abs(y - 0.5);
    const left = x < 0.5;
    const end = (axis) => Math.min(...zone.polygon.map((point) => Math.max(0, point[axis])));
    const at = flat ? [end(0) * width + 14, y < 0.5 ? 20 : height - 11] : [left ? 12 : width - 12, Math.max(20, end(1) * height - 4)];
    const name = zone.seat ? (this.names[zone.seat - 1] ?? `Seat ${zone.seat}`) : "Stock";
    return s("g", { class: "zone-name" }, s("text", { x: at[0], y: at[1], "text-anchor": flat || left ? "start" : "end" }, name));
  }

  // Which cards the game expects in a zone.
  wantedName(zone, width, height) {
    const [x, y] = [0, 1].map((axis) => zone.polygon.reduce((sum, point) => sum + point[axis], 0) / zone.polygon.length);
    return s("g", { class: "wanted-name" }, s("text", { x: x * width, y: y * height, "text-anchor": "middle" }, `expected: ${this.wanted.get(zone.zone)}`));
  }

  // On the table the name sits on the card's top edge; in a pile at its corner, small, as the cards lie over each other.
  tag(card, width, height) {
    const [a, b, , d] = card.quad;
    const piled = !["table", "left", "right"].includes(card.zone);
    const at = piled ? [0, 1].map((i) => a[i] + 0.13 * (b[i] - a[i]) + 0.1 * (d[i] - a[i])) : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const x = at[0] * width;
    const y = at[1] * height;
    const scale = Math.max(0.6, Math.min(1.15, width / 900)) * (piled ? 0.72 : 1);
    const text = cardSign(card.card);
    const wide = (text.length * 9 + 10) * scale;
    const high = 20 * scale;
    const tag = s(
      "g",
      { class: `tag ${isRed(card.card) ? "red" : ""}` },
      s("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 5 * scale }),
      s("text", { x, y: y + 5.4 * scale }, text),
    );
    tag.lastChild.style.fontSize = `${15 * scale}px`;
    return tag;
  }
}

// The page's own camera as the source: one picture at a time, the next one only after the last was answered.
export async function lendCamera() {
  const video = h("video", { playsinline: true, muted: true });
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: 1280, height: 720, facingMode: "environment" } });
  video.srcObject = stream;
  await video.play();
  const canvas = h("canvas", {});
  for (;;) {
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d").drawImage(video, 0, 0);
    const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
    const response = await fetch("/api/camera-frame", { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg }).catch(() => null);
    if (response && !response.ok) throw new Error((await response.json()).error);
    await new Promise((done) => setTimeout(done, response ? 120 : 1500));
  }
}
