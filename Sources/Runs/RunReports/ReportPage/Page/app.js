// The page: its head, the filter, the list, the pane beside it, the keyboard and the address.

const theme = {
  names: ["auto", "light", "dark"],
  get value() {
    try { return localStorage.getItem("reqrun-theme") || "auto"; } catch { return "auto"; }
  },
  set value(name) {
    try { localStorage.setItem("reqrun-theme", name); } catch { /* The page works without. */ }
    this.show();
  },
  show() {
    if (this.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.value;
  },
};

const keys = [
  ["j, ↓", "next line"], ["k, ↑", "previous line"], ["→, ←", "unfold, fold"], ["Enter", "open the line"],
  ["/", "search"], ["f", "only failures, or all"], ["o", "overview"], ["Escape", "back"], ["?", "this help"],
];
const filterHelp = [
  ["word", "part of a name, URL, message, tag or path"], ["\"two words\"", "a text with spaces"],
  ["is:failed", "also passed, skipped, unsent, warned, repeated"], ["tag:smoke", "a tag"],
  ["file:users", "part of a path"], ["status:404", "also 5xx, or none"],
];

class App {
  start() {
    theme.show();
    readRows();
    const summary = headline();
    document.title = `${summary.text} – reqrun`;
    this.tree = new Tree((line) => { if (this.isWide) this.open(line, false); }, (line, byKey) => this.open(line, true, byKey));
    this.pane = el("main", { class: "pane", tabindex: "-1", "aria-label": "Details" });
    this.help = this.helpDialog();
    const root = document.getElementById("report");
    root.replaceChildren(this.head(summary), this.list(), this.pane, this.help);
    document.body.dataset.view = "list";
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.readAddress());
    addEventListener("beforeprint", () => root.append(this.printed = printedList()));
    addEventListener("afterprint", () => this.printed?.remove());
    this.readAddress(true);
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  }

  get isWide() {
    return matchMedia("(min-width: 820px)").matches;
  }

  head(summary) {
    const select = el("select", { "aria-label": "Theme", onchange: () => { theme.value = select.value; } },
      theme.names.map((name) => el("option", { value: name, selected: name === theme.value }, `${name[0].toUpperCase()}${name.slice(1)} theme`)));
    return el("header", { class: "head" },
      el("div", { class: "title" },
        el("h1", {}, el("span", { class: `sign ${summary.good ? "passed" : "failed"}`, "aria-hidden": "true" }, summary.good ? "✓" : "✗"), " ", summary.text),
        el("p", {}, [summary.more, run.start && duration(run.duration * 1000), startText(), ...origin.filter(([name]) => name !== "Seed").map(([name, value]) => `${name.toLowerCase()} ${value}`)].filter(Boolean).join(" · "))),
      el("div", { class: "tools" }, el("button", { type: "button", class: "tool", onclick: () => this.overview() }, "Overview"), select,
        el("button", { type: "button", class: "tool", "aria-label": "Help", onclick: () => this.help.showModal() }, "?")),
      outcomeBar());
  }

  list() {
    this.search = el("input", { type: "search", placeholder: "Search or filter: is:failed tag:smoke status:5xx", "aria-label": "Search and filter", spellcheck: "false",
      autocomplete: "off", oninput: () => this.filter(this.search.value, true) });
    this.chips = ["", "failed", "passed", "skipped", "unsent", "warned", "repeated"]
      .map((name) => ({ name, count: name ? requests.filter(states[name]).length : requests.length }))
      .filter((chip) => chip.name === "" || chip.count > 0)
      .map(({ name, count }) => {
        const chip = el("button", { type: "button", class: `chip ${name}`, "aria-pressed": "false",
          onclick: () => this.filter(replacing(this.search.value, "is", name)) },
        name || "all", " ", el("span", { class: "number" }, grouped(count)));
        chip.name = name;
        return chip;
      });
    this.selects = [
      this.choice("tag", "Any tag", [...new Set(requests.flatMap((request) => request.tags))].sort()),
      this.choice("status", "Any status", this.statuses()),
      this.choice("file", "Any file", fileLines.length > 1 && fileLines.length <= 500 ? [...new Set(fileLines.map(runName))] : []),
    ].filter(Boolean);
    this.counter = el("span", { class: "counter", role: "status" });
    return el("nav", { class: "list", "aria-label": "Requests" },
      el("div", { class: "filter", role: "search" }, this.search, el("div", { class: "chips" }, this.chips, this.selects, this.counter)),
      this.tree.element, this.tree.empty);
  }

  statuses() {
    const all = new Set(requests.map((request) => request.status).filter((status) => status > 0));
    const classes = new Set([...all].map((status) => `${Math.floor(status / 100)}xx`));
    return all.size < 2 ? [] : [...[...classes].sort(), ...[...all].sort((a, b) => a - b).map(String)];
  }

  choice(key, title, values) {
    if (values.length === 0) return null;
    const select = el("select", { "aria-label": title.replace("Any ", "Filter by "), onchange: () => this.filter(replacing(this.search.value, key, select.value)) },
      el("option", { value: "" }, title), values.slice(0, 500).map((value) => {
        const option = el("option", {}, value);
        option.value = value;
        return option;
      }));
    select.key = key;
    return select;
  }

  filter(text, isTyped = false) {
    if (!isTyped) this.search.value = text;
    this.tree.filter(text);
    const state = valueOf(text, "is").toLowerCase();
    for (const chip of this.chips) chip.setAttribute("aria-pressed", String(chip.name === state));
    for (const select of this.selects) {
      const value = valueOf(text, select.key);
      select.value = [...select.options].some((option) => option.value === value) ? value : "";
    }
    this.counter.textContent = terms(text).length > 0 ? `${grouped(this.tree.count)} of ${grouped(requests.length)}` : "";
    this.writeAddress(false);
  }

  // The pane

  overview() {
    this.tree.select(null);
    this.fill(overviewPane((line) => this.reveal(line), (text) => this.filter(text)));
    this.show("pane");
    this.opened = null;
    this.writeAddress(true);
  }

  /** Opens a line that may be outside of the filter. */
  reveal(line) {
    if (!this.tree.show(line)) {
      this.filter("");
      this.tree.show(line);
    }
    this.open(line, true);
  }

  async open(line, shows, focuses = false) {
    this.opened = line;
    const children = line.kind === "request" ? await requestPane(line)
      : outerPane(line, (line) => this.reveal(line), (text) => { this.filter(text); this.show("list"); });
    if (this.opened !== line) return;
    this.fill(children);
    this.pane.dataset.open = String(line.index);
    if (shows) this.show("pane");
    if (focuses) this.pane.querySelector("h2")?.focus();
    this.writeAddress(shows);
  }

  fill(children) {
    delete this.pane.dataset.open;
    this.pane.replaceChildren();
    append(this.pane, [el("button", { type: "button", class: "back", onclick: () => this.back() }, "‹ Requests"), children]);
    this.pane.scrollTop = 0;
  }

  show(view) {
    document.body.dataset.view = view;
  }

  back() {
    this.show("list");
    this.tree.resize();
    this.tree.element.focus();
  }

  // The address

  writeAddress(isStep) {
    if (this.isReading) return;
    const parts = [];
    if (this.search.value) parts.push(`q=${encodeURIComponent(this.search.value)}`);
    if (this.opened) parts.push(`open=${this.opened.index}`);
    const address = `#${parts.join("&")}`;
    if (address === (location.hash || "#")) return;
    if (isStep) history.pushState(null, "", address); else history.replaceState(null, "", address);
  }

  readAddress(isStart = false) {
    this.isReading = true;
    const address = location.hash || document.documentElement.dataset.address || "";
    const values = new Map(address.slice(1).split("&").map((part) => {
      const border = part.indexOf("=");
      try { return [part.slice(0, border), decodeURIComponent(part.slice(border + 1))]; } catch { return ["", ""]; }
    }));
    this.filter(values.get("q") || "");
    const fits = matches(values.get("q") || "");
    const found = fits ? requests.filter(fits) : [];
    const line = /^\d+$/.test(values.get("open") || "") ? lines[Number(values.get("open"))]
      : found.length === 1 ? found[0] : null;
    if (line) {
      this.reveal(line);
    } else {
      this.overview();
      if (isStart) this.show(this.search.value ? "list" : "pane");
    }
    this.isReading = false;
  }

  // The keyboard

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (event.target.closest("input, select, textarea")) {
      if (event.key === "Escape") this.tree.element.focus();
      else if (event.target === this.search && (event.key === "Enter" || event.key === "ArrowDown")) {
        this.tree.element.focus();
        if (!this.tree.selected) this.tree.move(1);
      } else return;
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case "j": this.step(1); break;
      case "k": this.step(-1); break;
      case "/": this.show("list"); this.search.focus(); this.search.select(); break;
      case "f": this.filter(replacing(this.search.value, "is", valueOf(this.search.value, "is") === "failed" ? "" : "failed")); break;
      case "o": this.overview(); break;
      case "?": this.help.showModal(); break;
      case "Escape":
        if (document.body.dataset.view === "pane" && !this.isWide) this.back();
        else if (this.pane.contains(document.activeElement)) this.tree.element.focus();
        else if (this.search.value) this.filter("");
        else return;
        break;
      default: return;
    }
    event.preventDefault();
  }

  step(by) {
    this.tree.element.focus();
    this.tree.move(by);
    if (!this.isWide && document.body.dataset.view === "pane" && this.tree.selected) this.open(this.tree.selected, true);
  }

  helpDialog() {
    const table = (title, rows) => [el("h3", {}, title), el("dl", { class: "keys" }, rows.map(([key, meaning]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, meaning))))];
    const dialog = el("dialog", { class: "help", "aria-labelledby": "help-title", onclick: (event) => { if (event.target === dialog) dialog.close(); } },
      el("div", {}, el("h2", { id: "help-title" }, "Help"), table("Keys", keys), table("Filter", filterHelp),
        el("button", { type: "button", class: "tool", onclick: () => dialog.close() }, "Close")));
    return dialog;
  }
}

/** All requests as a table, for paper. */
function printedList() {
  const limit = 2000;
  const shown = [...requests.filter(isFailure), ...requests.filter((request) => !isFailure(request))].slice(0, limit);
  return el("section", { class: "printed" }, el("h2", {}, "Requests"), el("table", {}, el("tbody", {}, shown.map((request) => el("tr", {},
    el("td", {}, outcomeSign(request)), el("td", {}, request.file ? runName(request.file) : "", `:${request.number}`),
    el("td", {}, [...namesAround(request), request.name].join(" › "), request.message && el("div", { class: "message" }, request.message)),
    el("td", {}, request.status > 0 ? String(request.status) : ""), el("td", {}, request.outcome < 4 ? duration(request.time) : ""))))),
  requests.length > limit && el("p", {}, `The first ${grouped(limit)} of ${grouped(requests.length)} requests, failures first.`));
}

const app = new App();
app.start();
