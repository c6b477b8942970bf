// Drawings: bars of a waterfall, and the charts of the overview. A drawing has its facts as text, too.

/** The phases of an exchange, in order; the timings of a row count from its start. */
const phases = [
  { name: "lookup", title: "name lookup" },
  { name: "connect", title: "connect" },
  { name: "tls", title: "TLS" },
  { name: "wait", title: "wait for the first byte" },
  { name: "receive", title: "receive" },
];

/** The phases of timings `[lookup, connect, tls, first byte, total]`, as spans in milliseconds. */
function spans(timings) {
  const found = [];
  let from = 0;
  timings.forEach((end, index) => {
    // Without a first byte nothing was received.
    if (end === null || end === undefined || end < from || index === 4 && !timings[3]) return;
    if (end > from) found.push({ phase: phases[index], from, to: end });
    from = end;
  });
  return found;
}

/** The bar of a request within the time of something around it. */
function fallBar(request, around) {
  const whole = Math.max(around.time, 0.001);
  const scale = (ms) => Math.min(1000, Math.max(0, (ms / whole) * 1000));
  const drawing = svg("svg", { class: "bar", viewBox: "0 0 1000 10", preserveAspectRatio: "none", focusable: "false" });
  const start = request.start < 0 ? 0 : request.start - around.start;
  const bar = (from, to, name) => {
    const x = Math.min(scale(from), 994);
    drawing.append(svg("rect", { x, y: 0, width: Math.max(6, scale(to) - x), height: 10, class: name }));
  };
  bar(start, start + request.time, isFailure(request) ? "whole failed" : "whole");
  if (request.timings && request.attempts <= 1) {
    for (const { phase, from, to } of spans(request.timings)) {
      if (scale(to) - scale(from) > 2) bar(start + from, start + to, `phase ${phase.name}`);
    }
  }
  return drawing;
}

/** One bar with a part for each outcome. */
function outcomeBar() {
  const parts = outcomeCounts().filter((part) => part.count > 0);
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const drawing = svg("svg", {
    class: "outcomes", viewBox: "0 0 1000 8", preserveAspectRatio: "none", role: "img", focusable: "false",
    "aria-label": parts.map((part) => `${grouped(part.count)} ${part.title}`).join(", ") || "no requests",
  });
  let x = 0;
  for (const part of parts) {
    // Few failures among many requests stay visible.
    const width = Math.max(6, (part.count / total) * 1000);
    drawing.append(svg("rect", { x, y: 0, width, height: 8, class: part.name }));
    x += width;
  }
  drawing.setAttribute("viewBox", `0 0 ${Math.max(x, 1)} 8`);
  return drawing;
}

function outcomeCounts() {
  const counts = run.counts;
  return [
    { name: "passed", title: "passed", count: counts.passed },
    { name: "failed", title: "failed", count: counts.failed },
    { name: "failed", title: "without a complete response", count: counts.transport_errors },
    { name: "failed", title: "with an error in the spec", count: counts.spec_errors },
    { name: "skipped", title: "skipped", count: counts.skipped },
    { name: "unsent", title: "not sent", count: counts.not_sent },
  ];
}

/** Columns of two colours: the good below, the failed above. */
function columns(bins, height, label) {
  const most = Math.max(1, ...bins.map((bin) => bin.good + bin.failed));
  const drawing = svg("svg", {
    class: "columns", viewBox: `0 0 ${bins.length * 10} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": label, focusable: "false",
  });
  bins.forEach((bin, index) => {
    const total = bin.good + bin.failed;
    if (total === 0) return;
    // A square root keeps small columns visible beside large ones.
    const whole = Math.max(2, Math.sqrt(total / most) * height);
    const failed = bin.failed > 0 ? Math.max(2, (whole * bin.failed) / total) : 0;
    const column = svg("g", {}, svg("title", {}, `${bin.title}: ${counted(total, "request")}${bin.failed ? `, ${grouped(bin.failed)} failed` : ""}`));
    column.append(svg("rect", { x: index * 10 + 1, y: 0, width: 8, height, class: "reach" }));
    column.append(svg("rect", { x: index * 10 + 1, y: height - whole + failed, width: 8, height: whole - failed, class: "passed" }));
    column.append(svg("rect", { x: index * 10 + 1, y: height - whole, width: 8, height: failed, class: "failed" }));
    drawing.append(column);
  });
  return drawing;
}

/** The limits of duration bins: 1, 2 and 5 of each decade. */
const durationLimits = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, Infinity];

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The distribution of durations; null if nothing was sent. */
function durationChart() {
  const sent = requests.filter((request) => request.outcome < 3 && (request.time > 0 || request.status > 0));
  if (sent.length === 0) return null;
  const bins = durationLimits.map((limit, index) => ({
    good: 0, failed: 0,
    title: limit === Infinity ? "more than 1 min" : `${index === 0 ? "less than" : `${duration(durationLimits[index - 1])} to`} ${duration(limit)}`,
  }));
  for (const request of sent) {
    const bin = bins[durationLimits.findIndex((limit) => request.time < limit)];
    if (isFailure(request)) bin.failed += 1; else bin.good += 1;
  }
  let last = bins.length - 1;
  while (last > 5 && bins[last].good + bins[last].failed === 0) last -= 1;
  const sorted = Float64Array.from(sent, (request) => request.time).sort();
  const facts = [["median", 0.5], ["95 %", 0.95], ["99 %", 0.99], ["slowest", 1]].map(([name, share]) => [name, duration(percentile(sorted, share))]);
  const label = `Durations: ${facts.map(([name, value]) => `${name} ${value}`).join(", ")}`;
  const shown = bins.slice(0, last + 1);
  const axis = shown.map((_, index) => durationLimits[index]).slice(0, -1);
  return el("figure", { class: "chart" },
    el("figcaption", {}, el("h3", {}, "Durations"), el("span", { class: "facts" }, facts.map(([name, value]) => el("span", {}, `${name} `, el("b", {}, value))))),
    columns(shown, 60, label), axisLabels(axis.map((limit) => duration(limit)), shown.length));
}

/** Labels between columns, as many as there is room for. */
function axisLabels(labels, count) {
  const drawing = el("div", { class: "axis", "aria-hidden": "true" });
  labels.forEach((label, index) => {
    if (index % 3 !== 0) return;
    const mark = el("span", {}, label);
    mark.style.left = `${((index + 1) / count) * 100}%`;
    drawing.append(mark);
  });
  return drawing;
}

/** The requests in the course of the run; null if they have no times. */
function timeChart() {
  const sent = requests.filter((request) => request.start >= 0 && request.outcome < 4);
  const whole = run.duration * 1000;
  if (sent.length < 2 || whole <= 0) return null;
  const count = 60;
  const bins = Array.from({ length: count }, (_, index) => ({ good: 0, failed: 0, title: `after ${duration((index / count) * whole)}` }));
  for (const request of sent) {
    const bin = bins[Math.min(count - 1, Math.max(0, Math.floor(((request.start + request.time) / whole) * count)))];
    if (isFailure(request)) bin.failed += 1; else bin.good += 1;
  }
  const failed = sent.filter(isFailure).length;
  const rate = sent.length / run.duration;
  const drawing = el("div", { class: "axis", "aria-hidden": "true" });
  for (const [place, text] of [[0, "0"], [50, duration(whole / 2)], [100, duration(whole)]]) {
    const mark = el("span", { class: place === 100 ? "last" : place === 0 ? "first" : null }, text);
    mark.style.left = `${place}%`;
    drawing.append(mark);
  }
  return el("figure", { class: "chart" },
    el("figcaption", {}, el("h3", {}, "Course of the run"),
      el("span", { class: "facts" }, el("span", {}, el("b", {}, rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))), " requests per second"))),
    columns(bins, 60, `${counted(sent.length, "request")} in ${duration(whole)}, ${grouped(failed)} failed`), drawing);
}

/** The waterfall of a file: a bar for each request, with the phases of its exchange. */
function waterfall(file, open) {
  const shown = [];
  for (let index = file.index + 1; index < file.end && shown.length < 500; index += 1) {
    const line = lines[index];
    if (line.kind === "request" && line.outcome < 4 && line.start >= 0) shown.push(line);
  }
  if (shown.length === 0) return null;
  const rows = shown.map((request) =>
    el("li", {}, el("button", { type: "button", class: "fallrow", onclick: () => open(request) },
      outcomeSign(request), el("span", { class: "name" }, request.name),
      el("span", { class: "time" }, duration(request.time)),
      el("span", { class: "fall", "aria-hidden": "true" }, fallBar(request, file)))));
  return [
    el("ul", { class: "legend", "aria-label": "Phases" }, phases.map((phase) => el("li", {}, el("span", { class: `key phase ${phase.name}` }), phase.title))),
    el("ol", { class: "waterfall" }, rows),
    file.total > shown.length && shown.length === 500 && el("p", { class: "remark" }, `The first 500 of ${grouped(file.total)} requests.`),
  ];
}
