// The live picture, and over it the outlines of the cards that were recognised in it.

import { $, cardSign, cardWords, isRed, s, show } from "./dom.js";
import { fit, middlePlaces, placeNames, seatPlaces } from "./picture_names.js";
import { t } from "./texts.js";

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

  // A new view: its picture is fetched, and its outlines are drawn together with it. Frame 0: no picture came yet.
  update(view) {
    this.view = view;
    if (!view.frame) this.forget();
    $("frame").dataset.moving = view.stillness;
    if (view.frame && view.width) $("frame").style.aspectRatio = `${view.width} / ${view.height}`;
    this.fetchNext();
    this.draw();
  }

  fetchNext() {
    if (this.loading || !this.view?.frame || this.view.frame === this.shown) return;
    this.loading = true;
    this.asked = this.view.frame;
    this.image.src = `/picture.jpg?frame=${this.view.frame}`;
  }

  // Another source: its picture is not there yet, and the one before shows something else.
  forget() {
    this.shown = -1;
    this.image.hidden = true;
    $("no-picture").hidden = false;
  }

  loaded() {
    this.loading = false;
    if (!this.view.frame) return;
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
    const wanted = (view.zones ?? []).filter((zone) => this.wanted.has(zone.zone)).map((zone) => this.wantedName(zone));
    const names = (view.zones ?? []).filter((zone) => zone.seat || zone.part === "stock").map((zone) => this.zoneName(zone));
    show(svg, zones, view.cards.map((card) => this.outline(card, points, width, height)), [...names, ...wanted].map((one) => one.element));
    for (const { element } of names) fit(element.lastChild, width);
    const tags = [...svg.querySelectorAll(".tag rect")].map((tag) => tag.getBBox());
    placeNames([...wanted, ...names], this.buttons(), tags, width, height);
    $("legend").hidden = !view.cards.length || $("frame").classList.contains("editing");
  }

  outline(card, points, width, height) {
    const onTable = ["table", "left", "right"].includes(card.zone);
    // A card under others is hardly seen: how sure its name is says nothing then, the pile is known from before.
    const doubtful = (card.confidence < 0.85 || card.card.includes("?")) && (onTable || !card.covered);
    const classes = ["card", onTable ? "" : "piled", this.dead.has(card.card) && onTable ? "dead" : "", this.wrong.has(card.card) ? "wrong" : "", doubtful ? "doubtful" : "", card.covered ? "covered" : ""].join(" ");
    const pick = () => this.onpick(card);
    const keys = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(); } };
    const picked = this.onpick ? { tabindex: 0, role: "button", "data-key": `track-${card.track}`, onclick: pick, onkeydown: keys } : { role: "img" };
    const name = doubtful ? t("{card}, not sure", { card: cardWords(card.card) }) : cardWords(card.card);
    return s(
      "g",
      { class: classes, "aria-label": name, "data-card": card.card, ...picked },
      s("title", {}, name),
      s("polygon", { points: points(card.quad) }),
      card.covered && !onTable ? null : this.tag(card, width, height),
    );
  }

  // Where buttons stand in the picture.
  buttons() {
    const frame = $("frame").getBoundingClientRect();
    return [...$("frame").querySelectorAll("button")].map((button) => button.getBoundingClientRect()).filter((box) => box.width)
      .map((box) => ({ x: box.x - frame.x, y: box.y - frame.y, width: box.width, height: box.height }));
  }

  nameOf(kind, text) {
    return s("g", { class: kind }, s("rect", { rx: 6 }), s("text", {}, text));
  }

  zoneName(zone) {
    const name = zone.seat ? (this.names[zone.seat - 1] ?? t("Seat {n}", { n: zone.seat })) : t("Stock");
    return { element: this.nameOf("zone-name", name), polygon: zone.polygon, places: seatPlaces };
  }

  // Which cards the game expects in a zone.
  wantedName(zone) {
    return { element: this.nameOf("wanted-name", t("expected: {cards}", { cards: this.wanted.get(zone.zone) })), polygon: zone.polygon, places: middlePlaces };
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
      { class: `tag ${isRed(card.card) ? "red" : ""}`, "data-suit": card.card[1] },
      s("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 5 * scale }),
      s("text", { x, y: y + 5.4 * scale }, text),
    );
    tag.lastChild.style.fontSize = `${15 * scale}px`;
    return tag;
  }
}
