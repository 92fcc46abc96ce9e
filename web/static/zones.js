// The zones over the picture, drawn by hand: whole areas and their corners, by mouse, finger and keyboard.

import { $, s, send, show } from "./dom.js";
import { fit } from "./picture_names.js";
import { t } from "./texts.js";

const STEP = 0.005;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MIDDLES = { "laugh-and-lie-down": t("Pool"), "rolling-stone": t("Trick"), sbros: t("Centre") };
const PARTS = { left: t("Left card"), right: t("Right card"), stock: t("Stock") };

// What a zone is called: the game's word for the middle, and whose cards lie there; in a small picture the name alone.
function zoneLabel(zone, game, names, small) {
  if (!zone.seat) return PARTS[zone.part] ?? MIDDLES[game] ?? t("Table");
  const name = names[zone.seat - 1] ?? t("Seat {n}", { n: zone.seat });
  if (small) return name;
  return zone.part === "reset" ? t("Put aside by {name}", { name }) : t("Pile of {name}", { name });
}

const within = (value) => Math.min(1, Math.max(0, value));

export class ZoneEditor {
  // `current` holds the newest state and view.
  constructor(current) {
    this.current = current;
    this.zones = null;
    this.svg = $("zones");
    $("zones-edit").addEventListener("click", () => this.begin());
    $("zones-save").addEventListener("click", () => this.save());
    $("zones-anew").addEventListener("click", () => this.anew());
    $("zones-cancel").addEventListener("click", () => this.end());
    new ResizeObserver(() => this.draw()).observe($("frame"));
  }

  begin() {
    const zones = this.current.view?.zones;
    if (!zones?.length) return;
    this.zones = structuredClone(zones);
    this.changed = new Set();
    this.selected = null;
    this.toggle(true);
    this.draw();
    this.svg.querySelector(".area")?.focus();
  }

  end() {
    this.zones = null;
    this.toggle(false);
    show(this.svg);
    $("zones-edit").focus();
  }

  toggle(editing) {
    $("frame").classList.toggle("editing", editing);
    $("zones-tools").hidden = !editing;
    $("zones-edit").hidden = editing;
    $("legend").hidden = editing || !this.current.view?.cards.length;
  }

  async save() {
    const zones = Object.fromEntries(this.zones.filter((zone) => this.changed.has(zone.zone)).map((zone) => [zone.zone, zone.polygon]));
    if (!this.changed.size || (await send("zones", { zones }))) this.end();
  }

  async anew() {
    if (await send("zones", { zones: null })) this.awaiting = true;
  }

  // The program uses other zones from now on; what is being drawn here stays as it is, unless it was asked for.
  told(zones) {
    if (!this.awaiting || !this.zones) return;
    this.awaiting = false;
    this.zones = structuredClone(zones);
    this.changed.clear();
    this.draw();
  }

  draw() {
    if (!this.zones) return;
    const { clientWidth: width, clientHeight: height } = $("frame");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const names = this.current.state?.setup.names ?? [];
    const game = this.current.state?.game.name;
    const drawn = this.zones.map((zone) => this.area(zone, (short) => zoneLabel(zone, game, names, short), width, height));
    show(this.svg, drawn.map((one) => one.area), drawn.map((one) => one.corners));
    for (const one of drawn) one.name();
    this.select(this.selected ?? this.zones[0].zone);
  }

  // Only the chosen area shows its corners: those of its neighbours lie in the same places.
  select(name) {
    this.selected = name;
    for (const one of this.svg.querySelectorAll("[data-of]")) one.classList.toggle("chosen", one.dataset.of === name);
  }

  area(zone, labelled, width, height) {
    const label = labelled(width < 560);
    const points = () => zone.polygon.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`).join(" ");
    const middle = () => [0, 1].map((axis) => zone.polygon.reduce((sum, point) => sum + point[axis], 0) / zone.polygon.length);
    const shape = s("polygon", { class: "area", points: points(), tabindex: 0, role: "button", "aria-label": t("{zone}: move it with the arrow keys", { zone: label }), "data-zone": zone.zone, "data-key": `area-${zone.zone}` });
    const name = s("text", { class: "area-name" }, label);
    const corners = zone.polygon.map((_, index) => s("g", { class: "corner", tabindex: 0, role: "button", "aria-label": t("{zone}, corner {n}", { zone: label, n: index + 1 }), "data-corner": `${zone.zone} ${index}`, "data-key": `corner-${zone.zone}-${index}` }, s("circle", { class: "reach", r: 20 }), s("circle", { class: "dot", r: 7 })));
    const place = () => {
      shape.setAttribute("points", points());
      const [x, y] = middle();
      const half = name.getComputedTextLength() / 2 + 6;
      name.setAttribute("x", Math.max(half, Math.min(width - half, x * width)));
      name.setAttribute("y", Math.max(14, Math.min(height - 14, y * height)));
      corners.forEach((corner, index) => corner.setAttribute("transform", `translate(${zone.polygon[index].map((value, axis) => value * (axis ? height : width)).join(" ")})`));
    };
    const move = (corner, dx, dy) => {
      this.changed.add(zone.zone);
      const moved = corner === null ? zone.polygon : [zone.polygon[corner]];
      // A whole area stops at the picture's edge as it is, so that it keeps its shape.
      const [x, y] = [dx, dy].map((by, axis) => Math.min(1 - Math.max(...moved.map((point) => point[axis])), Math.max(-Math.min(...moved.map((point) => point[axis])), by)));
      for (const point of moved) [point[0], point[1]] = [within(point[0] + x), within(point[1] + y)];
      place();
    };
    this.drags(shape, (dx, dy) => move(null, dx / width, dy / height));
    corners.forEach((corner, index) => this.drags(corner, (dx, dy) => move(index, dx / width, dy / height)));
    shape.addEventListener("focus", () => this.select(zone.zone));
    const named = () => {
      if (fit(name, width)) name.textContent = labelled(true);
      fit(name, width);
      place();
    };
    return { area: s("g", { "data-of": zone.zone }, shape, name), corners: s("g", { class: "corners", "data-of": zone.zone }, corners), name: named };
  }

  // Whatever is pulled, or pushed with the arrow keys (ten times as far with shift), tells by how many pixels.
  drags(element, moved) {
    let from = null;
    element.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      element.setPointerCapture(event.pointerId);
      event.preventDefault();
      element.focus({ preventScroll: true });
    });
    element.addEventListener("pointermove", (event) => {
      if (!from) return;
      moved(event.clientX - from[0], event.clientY - from[1]);
      from = [event.clientX, event.clientY];
    });
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => { from = null; });
    element.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      if (event.key === "Escape") this.end();
      if (!arrow) return;
      event.preventDefault();
      const far = STEP * (event.shiftKey ? 10 : 1);
      moved(arrow[0] * far * $("frame").clientWidth, arrow[1] * far * $("frame").clientHeight);
    });
  }
}
