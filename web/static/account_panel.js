// The running account beside the table: deal by deal, as far as deals count alike; the whole evening has its own page.

import { $, h, show } from "./dom.js";
import { t } from "./texts.js";

export function showAccount(state) {
  const evening = state.evening;
  const account = evening?.accounts.at(-1);
  if (!account || (account.deals.length === 1 && account.deals[0].open && !evening.mixed)) { show($("account")); return; }
  const line = (name, cells) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell)));
  const named = (deal) => (deal.sure ? t("Deal {deal}", deal) : t("Deal {deal}, not sure", deal));
  show($("account"),
    h("h2", {}, t("The account")),
    h("table", {},
      h("thead", {}, h("tr", {}, h("td", {}), evening.names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, account.deals.map((deal) => line(named(deal), deal.shown))),
      h("tfoot", {}, line(t("Together"), account.shownTotals), account.parts.filter((part) => part.money).map((part) => line(part.label, part.money)))),
    evening.mixed ? h("p", { class: "hint" }, t("Deals of another game, or that were scored otherwise, are kept apart.")) : null,
    h("p", { class: "to-evening" }, h("a", { href: "/account", "data-key": "to-evening" }, t("The whole evening: who pays whom, plot, look back, print"))));
}
