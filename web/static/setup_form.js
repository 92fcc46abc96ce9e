// The form of the set-up: game, players with their seats in the picture, what a stake is worth, and the options.

import { $, changing, h, send, show } from "./dom.js";
import { optionsOf } from "./setup_options.js";
import { language, t } from "./texts.js";

const unnamed = (seat) => t("Seat {n}", { n: seat });

// An amount in a currency, as the reader's language writes it, with `places` where the currency has fewer; what is no
// known currency stands behind it.
export function money(amount, currency, places = 0) {
  const plain = () => new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount);
  if (!/^[A-Z]{3}$/.test(currency)) return `${plain()}\u00a0${currency}`.trim();
  try {
    const usual = new Intl.NumberFormat(language, { style: "currency", currency });
    if (places <= usual.resolvedOptions().maximumFractionDigits) return usual.format(amount);
    return new Intl.NumberFormat(language, { style: "currency", currency, minimumFractionDigits: places, maximumFractionDigits: places }).format(amount);
  } catch {
    return `${plain()}\u00a0${currency}`;
  }
}

// Where a zone lies in the picture, in words.
function whereabouts(polygon) {
  const [x, y] = [0, 1].map((axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length);
  const row = y < 0.36 ? 0 : y > 0.64 ? 2 : 1;
  const column = x < 0.36 ? 0 : x > 0.64 ? 2 : 1;
  return [
    [t("at the top left"), t("at the top"), t("at the top right")],
    [t("at the left"), t("in the middle"), t("at the right")],
    [t("at the bottom left"), t("at the bottom"), t("at the bottom right")],
  ][row][column];
}

// What a control of the form is for, by the name under which it is remembered that somebody changed it.
const fieldOf = (control) => (control.name === "dealer" ? "dealer" : control.dataset.option ? `option-${control.dataset.option}` : control.dataset.key ?? control.id);

export class SetupForm {
  // `named` is called with the names as they are typed, so that the picture shows them.
  constructor(current, named) {
    this.current = current;
    this.named = named;
    this.zones = [];
    this.mine = new Set(); // the fields that were changed here and are not saved yet
    this.dealer = 1;
    $("setup-game").addEventListener("change", () => { this.options({}); this.players(); this.names(); this.worth(); });
    $("setup-players").addEventListener("change", () => this.names());
    $("setup-round").addEventListener("click", () => this.round());
    $("setup-form").addEventListener("input", (event) => this.changed([fieldOf(event.target)]));
    $("setup-form").addEventListener("submit", (event) => { event.preventDefault(); this.save("setup"); });
    $("setup-new").addEventListener("click", () => { if (window.confirm(t("Begin a new evening? The account starts at nought; this one stays in the journal."))) this.save("session"); });
    $("setup-again").addEventListener("click", () => this.again());
  }

  // The state as the program has it; what was changed here stays until it is saved, the rest follows.
  tell(state) {
    $("setup-again").disabled = state.phase === "waiting" || Boolean(state.mending);
    const key = JSON.stringify([state.game.name, state.setup]);
    if (key === this.told) return;
    const apart = JSON.stringify([state.game.name, { ...state.setup, dealer: 0 }]); // each deal has another dealer
    const elsewhere = this.apart && apart !== this.apart && this.mine.size > 0 && !this.saving;
    [this.told, this.apart] = [key, apart];
    this.take(state.game.name, state.setup);
    if (elsewhere) $("setup-saved").textContent = t("The set-up was changed elsewhere. What you changed here stays until you save it.");
    $("setup-hint").textContent = state.closed.length ? t("Another number of players needs a new evening, with an account of its own.") : "";
  }

  take(game, setup) {
    const mine = (field) => this.mine.has(field);
    if (!mine("setup-game")) $("setup-game").value = game;
    const same = $("setup-game").value === game;
    this.players(same && !mine("setup-players") ? setup.players : undefined);
    if (!mine("dealer")) this.dealer = setup.dealer;
    const typed = this.typed();
    const told = setup.names.map((name, index) => (name === unnamed(index + 1) ? "" : name));
    this.names(Array.from({ length: Math.max(typed.length, told.length) }, (_, index) => (mine(`name-${index + 1}`) ? typed[index] : told[index] ?? typed[index])));
    if (same) {
      this.options(setup.options);
      if (!mine("setup-worth")) $("setup-worth").value = setup.options.stake_value ?? "";
      if (!mine("setup-currency")) $("setup-currency").value = setup.options.currency ?? "";
    }
    this.worth();
  }

  // Somebody changed these fields here.
  changed(fields) {
    for (const field of fields) { this.mine.add(field); this.saving?.add(field); }
    $("setup-saved").textContent = "";
    this.worth();
  }

  // The zones of the picture say which seat is where.
  place(zones) {
    const key = JSON.stringify(zones);
    if (key === this.placed) return;
    this.placed = key;
    this.zones = zones ?? [];
    for (const span of $("setup-names").querySelectorAll(".at")) span.textContent = this.where(Number(span.dataset.seat));
  }

  where(seat) {
    const zone = this.zones.find((one) => one.seat === seat);
    return zone && Number($("setup-players").value) === this.current.state?.setup.players ? whereabouts(zone.polygon) : "";
  }

  // The numbers of players that the game is for; five or what is nearest, unless `wanted` is possible.
  players(wanted = Number($("setup-players").value) || 5) {
    const possible = $("setup-game").selectedOptions[0].dataset.players.split(" ").map(Number);
    const nearest = possible.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
    show($("setup-players"), possible.map((count) => h("option", { value: count, selected: count === nearest }, String(count))));
  }

  typed() {
    return [...$("setup-names").querySelectorAll("input[type=text]")].map((input) => input.value);
  }

  // The rows of the names; those that are there stay, so that nobody who is typing is disturbed.
  names(given = this.typed()) {
    const players = Number($("setup-players").value);
    const box = $("setup-names");
    this.dealer = Math.min(this.dealer, players);
    changing(box, () => {
      while (box.children.length > players) box.lastElementChild.remove();
      while (box.children.length < players) box.append(this.row(box.children.length + 1));
    });
    [...box.children].forEach((row, index) => {
      const input = row.querySelector("input[type=text]");
      if (input.value !== (given[index] ?? "")) input.value = given[index] ?? "";
      row.querySelector("input[type=radio]").checked = index + 1 === this.dealer;
      row.querySelector(".at").textContent = this.where(index + 1);
    });
    this.tellNames();
  }

  row(seat) {
    return h("div", { class: "name-row" },
      h("span", { class: "no" }, String(seat)),
      h("span", { class: "who-sits" },
        h("input", { type: "text", maxlength: 24, autocomplete: "off", placeholder: unnamed(seat), "aria-label": t("Name of seat {n}", { n: seat }), "data-key": `name-${seat}`, oninput: () => this.tellNames() }),
        h("span", { class: "at", "data-seat": seat })),
      h("label", { class: "deals" }, h("input", { type: "radio", name: "dealer", value: seat, onchange: () => { this.dealer = seat; } }), t("deals")));
  }

  tellNames() {
    this.named(this.typed().map((name, index) => name.trim() || unnamed(index + 1)));
  }

  // The whole table goes on by one seat: the camera stands on another side than was thought.
  round() {
    const names = this.typed();
    this.dealer = (this.dealer % names.length) + 1;
    this.names([names.at(-1), ...names.slice(0, -1)]);
    this.changed(["dealer", ...names.map((_, index) => `name-${index + 1}`)]);
  }

  // The amount as it is typed, with a point; empty where the game knows no money.
  amount() {
    return $("setup-game").value === "laugh-and-lie-down" ? $("setup-worth").value.trim().replace(",", ".") : "";
  }

  worth() {
    $("setup-money-box").hidden = $("setup-game").value !== "laugh-and-lie-down";
    const typed = this.amount();
    const amount = Number(typed);
    $("setup-worth-said").textContent = !typed ? t("Leave it empty to play for stakes alone.")
      : amount === 0 ? t("That is no money: write an amount such as 0.50, or leave it empty to play for stakes alone.")
      : amount > 0 ? t("Who loses three stakes pays {sum}.", { sum: money(3 * amount, $("setup-currency").value.trim(), typed.split(".")[1]?.length) }) : t("Write an amount such as 0.50.");
  }

  options(chosen) {
    const game = $("setup-game").value;
    const list = optionsOf(game);
    // What this page has no words for stays as it was set.
    this.others = Object.fromEntries(Object.entries(chosen).filter(([name]) => !list.some((one) => one.name === name) && !["stake_value", "currency"].includes(name)));
    if (this.drawn !== game) {
      this.drawn = game;
      for (const one of list) this.mine.delete(`option-${one.name}`);
      show($("setup-options"), list.map((one) =>
        h("div", { class: "option" },
          h("label", {}, one.title,
            h("select", { "data-option": one.name, "data-default": one.values[0][0], "aria-describedby": `about-${one.name}` }, one.values.map(([value, words]) => h("option", { value }, words)))),
          h("p", { class: "hint", id: `about-${one.name}` }, one.explained))));
    }
    for (const select of $("setup-options").querySelectorAll("select")) {
      if (!this.mine.has(fieldOf(select))) select.value = chosen[select.dataset.option] ?? select.dataset.default;
    }
  }

  chosen() {
    const options = { ...this.others };
    for (const select of $("setup-options").querySelectorAll("select")) if (select.value !== select.dataset.default) options[select.dataset.option] = select.value;
    const worth = this.amount();
    if (worth) {
      options.stake_value = worth;
      if ($("setup-currency").value.trim()) options.currency = $("setup-currency").value.trim();
    }
    return options;
  }

  // The seats of which somebody says that the same person sits there, called otherwise: where a name with an account
  // stands nowhere any more, and one without an account in its place.
  renamed(names) {
    const { setup, people } = this.current.state;
    return setup.names.map((was, index) => ({ was, now: names[index], seat: index + 1 }))
      .filter(({ was, now }) => now && people.includes(was) && !names.includes(was) && !people.includes(now) && !setup.names.includes(now))
      .filter((one) => window.confirm(t("Is {now} the same person as {was}, only written otherwise? “OK”: {now} goes on with what {was} has won and lost. “Cancel”: {now} is somebody else and begins at nought.", one)))
      .map(({ seat }) => seat);
  }

  async save(path) {
    if (this.amount() && !(Number(this.amount()) > 0)) {
      $("setup-saved").textContent = t("Not saved: what one stake is worth is no amount of money.");
      $("setup-worth").focus();
      return;
    }
    const names = this.typed().map((name) => name.trim());
    const { seq } = this.current.state;
    const renamed = path === "setup" ? this.renamed(names) : [];
    this.saving = new Set(); // what is changed while it is under way
    const done = await send(path, {
      seen: seq, game: $("setup-game").value, players: Number($("setup-players").value), dealer: this.dealer, names, renamed, options: this.chosen(),
    });
    if (done) this.mine = this.saving;
    this.saving = null;
    if (!done) return;
    if (this.current.state.seq !== seq) this.take(this.current.state.game.name, this.current.state.setup);
    $("setup-saved").textContent = path === "setup" ? t("Saved.") : t("A new evening has begun.");
  }

  async again() {
    if (!window.confirm(t("Forget this deal and deal again?"))) return;
    if (await send("again", { seen: this.current.state.seq })) $("setup-saved").textContent = t("The deal is forgotten: deal again.");
  }
}
