// The host's page for letting others in, and for sending them off.

import { $, h, say, send, show } from "./dom.js";

const ROLES = { host: "Host", viewer: "Watches" };
let until = 0;

async function invite(button) {
  const { role, seat } = button.dataset;
  const response = await fetch("/api/guests/invite", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ role, seat: seat ? Number(seat) : null }),
  }).catch(() => null);
  if (!response) { say("The program does not answer: is it still running?"); return; }
  const answer = await response.json();
  if (!response.ok) { say(answer.error); return; }
  until = performance.now() + 1000 * answer.seconds;
  $("invited").textContent = `For: ${button.textContent}`;
  $("code").textContent = answer.code;
  show($("codes"), answer.links.map(({ link, qr }) => {
    const address = link.split("/pair#")[0];
    return h("figure", {}, h("img", { src: qr, alt: `QR code for ${address}` }), h("figcaption", {}, address));
  }));
  $("invitation").hidden = false;
}

async function refresh() {
  if (performance.now() > until) $("invitation").hidden = true;
  try {
    const { guests } = await (await fetch("/api/guests")).json();
    const rows = guests.map((guest) => h("li", {},
      h("span", {}, guest.name ?? ROLES[guest.role], guest.own ? " (this device)" : ""),
      h("button", { type: "button", "data-key": guest.id, onclick: () => sendOff(guest.id) }, "Send off")));
    show($("guests"), rows.length ? rows : h("li", {}, "Nobody but you."));
  } catch {
    say("The program does not answer: is it still running?");
  }
}

async function sendOff(id) {
  await send("guests/send-off", { id });
  await refresh();
}

for (const button of document.querySelectorAll(".for-whom button")) button.addEventListener("click", () => invite(button));
setInterval(refresh, 2000);
refresh();
