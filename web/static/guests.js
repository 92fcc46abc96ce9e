// The host's page for letting others in, and for sending them off.

import { $, h, say, send, show } from "./dom.js";
import { t } from "./texts.js";

const ROLES = { host: t("Host"), viewer: t("Watches"), camera: t("Camera") };
const word = (one) => one.name ?? ROLES[one.role];
let open = null; // the code that is shown: for whom, of which guest, and until when it holds

async function invite({ role, seat }, whom) {
  const response = await fetch("/api/guests/invite", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ role, seat: seat ? Number(seat) : null }),
  }).catch(() => null);
  if (!response) { say(t("The program does not answer: is it still running?")); return; }
  const answer = await response.json();
  if (!response.ok) { say(answer.error); return; }
  open = { role, seat, whom, id: answer.id, until: performance.now() + 1000 * answer.seconds };
  $("invited").textContent = t("For: {whom}", { whom });
  $("code").textContent = answer.code;
  show($("codes"), answer.links.map(({ link, qr }) => {
    const address = link.split("/pair#")[0];
    return h("figure", {}, h("img", { src: qr, alt: t("QR code for {address}", { address }) }), h("figcaption", {}, address));
  }));
  holds(true);
  $("invitation").hidden = false;
}

// A code that opens nothing any more is not left on show: another one is offered in its place.
function holds(still) {
  for (const id of ["codes", "typed"]) $(id).hidden = !still;
  $("anew").hidden = still;
}

function gone(said) {
  $("invited").textContent = said;
  $("code").textContent = "";
  show($("codes"));
  holds(false);
  open.id = null;
}

function seats(names) {
  const buttons = [...$("for-seats").children];
  if (buttons.length === names.length && names.every((name, at) => buttons[at].textContent === name)) return;
  show($("for-seats"), names.map((name, at) => h("button", { type: "button", "data-role": "player", "data-seat": at + 1, "data-key": `seat-${at + 1}` }, name)));
}

async function refresh() {
  try {
    const { guests, names } = await (await fetch("/api/guests")).json();
    const rows = guests.map((guest) => h("li", {},
      h("span", {}, guest.own ? t("{name} (this device)", { name: word(guest) }) : word(guest)),
      h("button", { type: "button", "data-key": guest.id, onclick: () => sendOff(guest.id) }, t("Send off"))));
    show($("guests"), rows.length ? rows : h("li", {}, t("Nobody but you.")));
    seats(names);
    const came = open?.id && guests.find((guest) => guest.id === open.id);
    if (came) gone(t("{whom}: this code was used, and opens nothing any more.", { whom: word(came) }));
    else if (open?.id && performance.now() > open.until) gone(t("{whom}: this code has run out.", { whom: open.whom }));
  } catch {
    say(t("The program does not answer: is it still running?"));
  }
}

async function sendOff(id) {
  await send("guests/send-off", { id });
  await refresh();
}

document.querySelector(".for-whom").addEventListener("click", ({ target }) => { if (target.dataset.role) invite(target.dataset, target.textContent); });
$("new-code").addEventListener("click", () => invite(open, open.whom));
setInterval(refresh, 2000);
refresh();
