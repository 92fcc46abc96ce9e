// The stream's overlay: whose turn it is, what was done last (or that an earlier deal is put right), how each stands.

import { $, h, show } from "./dom.js";
import { follow } from "./live.js";
import { t } from "./texts.js";

const overlay = document.querySelector(".overlay");
overlay.style.fontSize = `${(1.5 * Number(overlay.dataset.size)) / 100}em`;

const signed = (count) => (count > 0 ? `+${count}` : count < 0 ? `−${-count}` : "0");

function score(seat, state) {
  const settled = state.settlement?.seats.find((one) => one.seat === seat.seat);
  const stakes = state.settlement?.pot !== undefined;
  const beside = settled ? (stakes ? signed(settled.net) : null) : seat.par === null ? null : t("par {par}", { par: seat.par });
  const sum = state.closed.length ? t("Account {sum}", { sum: signed(state.account[seat.seat - 1] ?? 0) }) : null;
  return h("li", { class: seat.turn ? "turn" : "", "data-seat": seat.seat },
    h("span", { class: "name" }, seat.name), h("span", { class: "count" }, String(seat.count)),
    beside === null ? null : h("span", { class: "par" }, beside), sum === null ? null : h("span", { class: "sum" }, sum));
}

follow({
  state: (state) => {
    $("headline").textContent = state.headline.text;
    $("last").textContent = state.mending ? state.mending.text : state.last ? `${state.last.text}.` : "";
    show($("scores"), state.seats.map((seat) => score(seat, state)));
  },
  link: () => {},
});
