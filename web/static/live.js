// Live updates: a stream of events where there is a place for it, else a question every second.

const CHANNELS = ["state", "view", "zones", "joining", "eye", "remark"];

export function follow(handlers) {
  let stream = null;
  let timer = null;
  let since = 0;
  let start = "";
  let failures = 0;

  const give = (channel, text) => handlers[channel]?.(typeof text === "string" ? JSON.parse(text) : text);

  function open() {
    close();
    stream = new EventSource("/api/stream");
    for (const channel of CHANNELS) {
      stream.addEventListener(channel, (event) => { failures = 0; handlers.link(true); give(channel, event.data); });
    }
    stream.onerror = () => {
      failures += 1;
      if (failures > 1) handlers.link(false);
      // A refused stream stays closed; a broken one comes back by itself.
      if (stream?.readyState === EventSource.CLOSED) { close(); timer = setTimeout(ask, 1000); }
    };
  }

  async function ask() {
    let next = 1000;
    try {
      const response = await fetch(`/api/state?since=${since}&start=${start}`);
      const news = await response.json();
      ({ version: since, start } = news);
      handlers.link(true);
      for (const channel of CHANNELS) if (news[channel]) give(channel, news[channel]);
      failures += 1;
      if (failures % 30 === 0) { open(); return; }
    } catch {
      handlers.link(false);
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

  // A page that nobody sees needs no place.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  open();
}
