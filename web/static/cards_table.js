// The table card by card, as a table of words for those who have it read to them.

import { $, cardWords, h, show } from "./dom.js";
import { t, tn } from "./texts.js";

let told = "";

function middleRows(middle) {
  return middle.cards.map((one) => [one.under, cardWords(one.card)]).concat(middle.stock === null ? [] : [[t("stock"), tn("{n} card", "{n} cards", middle.stock)]]);
}

function seatRow(seat) {
  const pile = (seat.aside ?? seat.pile.flat()).map(cardWords).join(", ");
  const parts = [
    seat.turn ? t("in turn") : null,
    seat.dealer ? t("deals") : null,
    seat.in ? null : t("lies down"),
    seat.hand === null || seat.hand === undefined ? null : t("{n} in hand", { n: seat.hand }),
    seat.tricks === undefined ? null : tn("{n} trick won", "{n} tricks won", seat.tricks),
    seat.par === null ? null : t("{count} cards, par {par}", { count: seat.count, par: seat.par }),
    pile ? t("Pile: {cards}", { cards: pile }) : null,
  ];
  return [seat.name, parts.filter(Boolean).join("; ")];
}

export function showCardsTable(state) {
  const lying = state.middle ? middleRows(state.middle) : state.table.map((group) => [t("On the table"), `${group.cards.map(cardWords).join(", ")}${group.dead ? `: ${t("dead")}` : ""}`]);
  const rows = [...lying, ...state.seats.map(seatRow)];
  const text = JSON.stringify(rows);
  if (text === told) return; // whoever reads in it keeps the place
  told = text;
  show($("cards-table"), h("caption", {}, t("The table, card by card")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Where")), h("th", { scope: "col" }, t("What lies there")))),
    h("tbody", {}, rows.map(([where, what]) => h("tr", {}, h("th", { scope: "row" }, where), h("td", {}, what)))));
}
