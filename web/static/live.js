// Live updates: a stream of events where there is a place for it, else a question every second.

import { answered, parsed } from "./letters.js";
import { letOut } from "./let_out.js";
import { t } from "./texts.js";

const CHANNELS = ["state", "view", "zones", "joining", "eye", "remark"];
// The program says something every ten seconds; a link that swallows it without a word is a cut one.
const SILENCE_MS = 25000;

// `handlers`: one for each channel, and `link`, which is told whether the program answers, and why not in words.
export function follow(handlers) {
  let stream = null;
  let timer = null;
  let since = 0;
  let start = "";
  let failures = 0;
  let heard = 0;

  const give = (channel, text) => {
    handlers[channel]?.(typeof text === "string" ? parsed(text) : text);
    if (channel === "state") document.documentElement.dataset.running = "yes"; // see waking.js
  };

  const cut = (why = t("The program does not answer")) => handlers.link(false, why);

  function hear() {
    heard = performance.now();
    failures = 0;
    letOut(false);
    handlers.link(true);
  }

  function open() {
    close();
    heard = performance.now();
    stream = new EventSource("/api/stream");
    stream.addEventListener("here", hear);
    for (const channel of CHANNELS) stream.addEventListener(channel, (event) => { hear(); give(channel, event.data); });
    stream.onerror = () => {
      failures += 1;
      if (failures > 1) cut();
      // A refused stream stays closed; a broken one comes back by itself.
      if (stream?.readyState === EventSource.CLOSED) { close(); timer = setTimeout(ask, 1000); }
    };
  }

  async function ask() {
    let next = 1000;
    try {
      const response = await fetch(`/api/state?since=${since}&start=${start}`, { signal: AbortSignal.timeout(SILENCE_MS) });
      letOut(response.status === 401);
      if (response.status === 401) {
        cut(t("This device is not let in any more"));
        since = 0;
        timer = setTimeout(ask, 5000);
        return;
      }
      const news = await answered(response);
      ({ version: since, start } = news);
      handlers.link(true);
      for (const channel of CHANNELS) if (news[channel]) give(channel, news[channel]);
      failures += 1;
      if (failures % 30 === 0) { open(); return; }
    } catch {
      cut();
      since = 0;
      next = 2000;
    }
    timer = setTimeout(ask, next);
  }

  function close() {
    clearTimeout(timer);
    stream?.close();
    stream = null;
  }

  setInterval(() => { if (stream && performance.now() - heard > SILENCE_MS) { cut(); open(); } }, 1000);

  // A page that nobody sees needs no place.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  open();
}
