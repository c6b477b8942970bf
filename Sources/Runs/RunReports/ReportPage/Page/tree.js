// The list of files, groups and requests: only the rows in sight are in the document.

class Tree {
  constructor(onSelect, onOpen) {
    this.onSelect = onSelect;
    this.onOpen = onOpen;
    this.shown = [];
    this.folded = new Set();
    this.selected = null;
    this.folder = commonFolder();
    this.rows = new Map();
    this.space = el("div", { class: "space", role: "presentation" });
    this.element = el("div", {
      class: "tree", role: "tree", tabindex: "0", "aria-label": "Files and requests", onscroll: () => this.draw(),
      onclick: (event) => this.click(event), onkeydown: (event) => this.key(event),
    }, this.space);
    this.empty = el("p", { class: "empty", hidden: true }, "No request fits this filter.");
    for (const line of lines) if (this.isFoldedAtFirst(line)) this.folded.add(line);
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Passed files of a long report are folded, and so are rows and the steps of a request. */
  isFoldedAtFirst(line) {
    if (line.end === line.index + 1) return false;
    if (line.kind === "file") return line.failed === 0 && requests.length > 300 && fileLines.length > 1;
    if (line.kind === "request") return !isFailure(line);
    return line.group === "rows" && (line.failed === 0 || line.total > 50);
  }

  filter(text) {
    const fits = matches(text);
    this.isFiltered = fits !== null;
    this.fitting = null;
    this.opened = new Set();
    if (fits) {
      this.fitting = new Set();
      for (const request of requests) {
        if (!fits(request)) continue;
        for (let line = request; line && !this.fitting.has(line); line = line.parent) this.fitting.add(line);
      }
    }
    this.count = fits ? requests.reduce((count, request) => count + (this.fitting.has(request) && fits(request) ? 1 : 0), 0)
      : requests.length;
    this.update();
    if (this.selected && this.shown.includes(this.selected)) this.reveal();
    else this.element.scrollTop = 0;
  }

  /** Indicates whether the lines inside a line are hidden; a filter shows what fits, unless it was folded since. */
  isFolded(line) {
    return this.isFiltered ? this.opened.has(line) : this.folded.has(line);
  }

  fold(line, folds) {
    const set = this.isFiltered ? this.opened : this.folded;
    if (folds) set.add(line); else set.delete(line);
    this.update();
  }

  update() {
    const shown = [];
    /** The number of shown lines within each line. */
    this.inner = new Map();
    for (let index = 0; index < lines.length;) {
      const line = lines[index];
      if (this.fitting && !this.fitting.has(line)) { index = line.end; continue; }
      line.position = shown.length;
      line.place = (this.inner.get(line.parent) || 0) + 1;
      this.inner.set(line.parent, line.place);
      shown.push(line);
      index = this.isFolded(line) ? line.end : index + 1;
    }
    this.shown = shown;
    this.empty.hidden = shown.length > 0;
    if (this.selected && !this.isShown(this.selected)) this.select(null, true);
    this.resize();
  }

  isShown(line) {
    return this.shown[line.position] === line;
  }

  resize() {
    this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || 30;
    this.space.style.height = `${this.shown.length * this.rowHeight}px`;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.draw();
  }

  draw() {
    const height = this.element.clientHeight;
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - 8);
    const last = Math.min(this.shown.length, Math.ceil((this.element.scrollTop + height) / this.rowHeight) + 8);
    const wanted = new Set(this.shown.slice(first, last));
    if (this.selected && this.isShown(this.selected)) wanted.add(this.selected);
    for (const [line, row] of this.rows) {
      if (wanted.has(line)) continue;
      row.remove();
      this.rows.delete(line);
    }
    for (const line of wanted) {
      if (this.rows.has(line)) continue;
      const row = this.row(line);
      row.style.top = `${line.position * this.rowHeight}px`;
      this.rows.set(line, row);
      this.space.append(row);
    }
  }

  row(line) {
    const hasInner = line.end > line.index + 1;
    const row = el("div", {
      class: `row ${line.kind}`, role: "treeitem", id: `line-${line.index}`, "aria-level": line.depth + 1,
      "aria-posinset": line.place, "aria-setsize": this.inner.get(line.parent),
      "aria-expanded": hasInner ? String(!this.isFolded(line)) : null,
      "aria-selected": String(line === this.selected),
    });
    row.line = line;
    row.style.setProperty("--depth", line.depth);
    row.append(el("span", { class: "fold", "aria-hidden": "true" }, hasInner ? (this.isFolded(line) ? "▸" : "▾") : ""));
    return append(row, line.kind === "request" ? requestCells(line) : outerCells(line, this.folder));
  }

  select(line, silently) {
    const old = this.selected;
    this.selected = line;
    if (old) this.rows.get(old)?.setAttribute("aria-selected", "false");
    if (!line) {
      this.element.removeAttribute("aria-activedescendant");
      return;
    }
    this.draw();
    this.rows.get(line)?.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", `line-${line.index}`);
    if (!silently) {
      this.reveal();
      this.onSelect(line);
    }
  }

  /** Scrolls to the selected line, unless it is in sight. */
  reveal() {
    const top = this.selected.position * this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.rowHeight > scrollTop + clientHeight) this.element.scrollTop = top + this.rowHeight - clientHeight;
    this.draw();
  }

  /** Selects a line and unfolds all around it; a filter that hides it stays. */
  show(line) {
    for (let outer = line.parent; outer; outer = outer.parent) {
      this.folded.delete(outer);
      this.opened.delete(outer);
    }
    this.update();
    if (!this.isShown(line)) return false;
    this.select(line, true);
    this.reveal();
    return true;
  }

  move(step) {
    if (this.shown.length === 0) return;
    const from = this.selected ? this.selected.position : step > 0 ? -1 : this.shown.length;
    this.select(this.shown[Math.min(this.shown.length - 1, Math.max(0, from + step))]);
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    if (event.target.closest(".fold")) {
      if (row.line.end > row.line.index + 1) this.fold(row.line, !this.isFolded(row.line));
      return;
    }
    this.select(row.line);
    this.onOpen(row.line);
  }

  key(event) {
    const line = this.selected;
    const hasInner = line && line.end > line.index + 1;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    switch (event.key) {
      case "ArrowDown": this.move(1); break;
      case "ArrowUp": this.move(-1); break;
      case "PageDown": this.move(page); break;
      case "PageUp": this.move(-page); break;
      case "Home": this.move(-lines.length); break;
      case "End": this.move(lines.length); break;
      case "ArrowRight":
        if (!hasInner) return;
        if (this.isFolded(line)) this.fold(line, false); else this.move(1);
        break;
      case "ArrowLeft":
        if (hasInner && !this.isFolded(line)) this.fold(line, true);
        else if (line?.parent) this.select(line.parent);
        break;
      case "Enter": if (line) this.onOpen(line, true); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function outcomeSign(request) {
  const outcome = outcomes[request.outcome];
  return el("span", { class: `sign ${outcome.name}` }, el("span", { "aria-hidden": "true" }, outcome.sign), spoken(outcome.title));
}

function requestCells(request) {
  return [
    outcomeSign(request),
    el("span", { class: "name", title: request.url && request.url !== request.name ? request.url : null },
      request.stage && el("span", { class: "stage" }, `${request.stage} `), request.name),
    request.warnings > 0 && el("span", { class: "badge warning" }, counted(request.warnings, "warning")),
    request.attempts > 1 && el("span", { class: "badge" }, `×${grouped(request.attempts)}`, spoken(" attempts")),
    el("span", { class: "status" }, request.status > 0 ? String(request.status) : ""),
    el("span", { class: "time" }, request.start >= 0 && request.outcome < 4 ? duration(request.time) : ""),
    el("span", { class: "fall", "aria-hidden": "true" }, request.file && request.outcome < 4 ? fallBar(request, request.file) : null),
  ];
}

function outerCells(line, folder) {
  const failed = line.failed > 0;
  const sign = el("span", { class: `sign ${failed ? "failed" : "passed"}` },
    el("span", { "aria-hidden": "true" }, failed ? "✗" : "✓"), spoken(failed ? "failed" : "passed"));
  const count = failed ? `${grouped(line.failed)} of ${grouped(line.total)} failed` : grouped(line.total);
  const title = line.kind === "file"
    ? [el("span", { class: "path", title: line.path }, runName(line).slice(folder.length)), line.name && el("span", { class: "title" }, line.name)]
    : [line.stage && el("span", { class: "stage" }, `${line.stage} `), line.name,
      el("span", { class: "kind" }, line.group === "rows" ? "rows" : line.group === "use" ? "used file" : line.group)];
  return [
    sign, el("span", { class: "name" }, title),
    el("span", { class: failed ? "count failed" : "count" }, count, !failed && spoken(line.total === 1 ? " request" : " requests")),
    el("span", { class: "time" }, duration(line.time)),
  ];
}
