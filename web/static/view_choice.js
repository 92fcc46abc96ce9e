// Before anything is painted: light or dark, the size of type and the suits' colours, as chosen in this browser.
"use strict";
globalThis.viewChoice = {
  SCHEMES: { system: "(prefers-color-scheme: dark)", light: "not all", dark: "all" },
  read(name) {
    try { return localStorage.getItem(`view-${name}`); } catch { return null; }
  },
  keep(name, value) {
    try { localStorage.setItem(`view-${name}`, value); } catch { /* A browser that keeps nothing still shows it. */ }
    this.apply();
  },
  apply() {
    document.getElementById("dark").media = this.SCHEMES[this.read("scheme")] ?? this.SCHEMES.system;
    for (const name of ["type", "suits"]) document.documentElement.dataset[name] = this.read(name) ?? "usual";
  },
};
viewChoice.apply();
