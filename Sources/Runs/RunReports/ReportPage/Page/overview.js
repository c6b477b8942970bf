// The panes of the whole run, and of a file or a group.

function headline() {
  const counts = run.counts;
  const failed = counts.failed + counts.transport_errors + counts.spec_errors;
  const total = failed + counts.passed + counts.skipped + counts.not_sent;
  const broken = run.unreadable_files > 0 ? `${counted(run.unreadable_files, "file")} did not run` : "";
  if (failed > 0) return { good: false, text: `${grouped(failed)} of ${counted(total, "request")} failed`, more: broken };
  if (run.unreadable_files > 0) return { good: false, text: broken, more: total > 0 ? `${counted(total, "request")} without a failure` : "" };
  if (total === 0) return { good: true, text: "Nothing ran", more: "" };
  if (counts.not_sent === total) return { good: true, text: `${counted(total, "request")} not sent`, more: "" };
  if (counts.passed === 0) return { good: true, text: `${counted(total, "request")} skipped`, more: "" };
  return { good: true, text: `${counted(counts.passed, "request")} passed`, more: "" };
}

/** Where it ran, and which part of the files. */
const origin = [["Environment", run.environment], ["Shard", run.shard], ["Host", run.host], ["Seed", run.seed]].filter(([, value]) => value);

function startText() {
  if (!run.start) return "";
  const date = new Date(run.start);
  return Number.isNaN(date.getTime()) ? run.start : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

function overviewPane(open, search) {
  const counts = run.counts;
  const facts = [
    ["Start", startText()], ["Duration", run.start && duration(run.duration * 1000)],
    ["Files", grouped(fileLines.length)], ["Assertions", counts.failed_assertions > 0
      ? `${grouped(counts.assertions)}, ${grouped(counts.failed_assertions)} failed` : grouped(counts.assertions)],
    counts.warnings + warnings.length > 0 && ["Warnings", grouped(counts.warnings + warnings.length)], ...origin, ["Version", `reqrun ${run.reqrun}`],
  ].filter((fact) => fact && fact[1]);
  const notes = [
    run.exceeded_time && `The run was ended after ${duration(run.exceeded_time * 1000)} (--max-time).`,
    run.signal && `The run was interrupted by signal ${run.signal}.`,
    run.unused_snapshots && `${counted(run.unused_snapshots.length, "unused snapshot")}: ${run.unused_snapshots.join(", ")}`,
    run.left_out?.bodies > 0 && `The bodies of ${counted(run.left_out.bodies, "request")} were left out: the report has a limit.`,
    run.left_out?.details > 0 && `The details of ${counted(run.left_out.details, "request")} were left out: the report has a limit.`,
  ].filter(Boolean);
  return [
    el("h2", { tabindex: "-1" }, "Overview"),
    notes.map((note) => el("p", { class: "note" }, note)),
    el("dl", { class: "summary" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    failuresView(open, search), brokenView(),
    el("div", { class: "charts" }, durationChart(), timeChart()),
    slowestView(open), coverageView(), fileWarningsView(), warningsView(open, search),
  ];
}

const listedLimit = 50;

/** A list of requests with their messages; alike messages together, the most frequent first. */
function messageList(title, kind, found, open, search) {
  if (found.length === 0) return null;
  const alike = new Map();
  for (const request of found) {
    const key = request.message || outcomes[request.outcome].title;
    if (alike.has(key)) alike.get(key).push(request); else alike.set(key, [request]);
  }
  const groups = [...alike].sort((a, b) => b[1].length - a[1].length);
  const items = groups.slice(0, listedLimit).map(([message, requests]) => el("li", {},
    el("button", { type: "button", class: "failure", onclick: () => open(requests[0]) },
      el("span", { class: "name" }, outcomeSign(requests[0]), " ", [...namesAround(requests[0]), requests[0].name].join(" › ")),
      el("span", { class: "message" }, message),
      el("span", { class: "place" }, `${requests[0].path || requests[0].file?.path || ""}:${requests[0].number}`)),
    requests.length > 1 && el("button", { type: "button", class: "more", onclick: () => search(`${kind} "${message.replaceAll('"', "").slice(0, 80)}"`) },
      `${grouped(requests.length - 1)} more like it`)));
  return el("section", { class: "part" }, el("h3", {}, `${title} (${grouped(found.length)})`), el("ul", { class: "failures" }, items),
    groups.length > listedLimit && el("button", { type: "button", class: "more", onclick: () => search(kind) }, `all ${grouped(found.length)}`));
}

function failuresView(open, search) {
  return messageList("Failures", "is:failed", requests.filter(isFailure), open, search);
}

/** The warnings about files and options. */
const warnings = (run.diagnostics || []).flat().filter(({ severity }) => severity === "warning");

function fileWarningsView() {
  if (warnings.length === 0) return null;
  return section(`Warnings about files (${grouped(warnings.length)})`,
    warnings.slice(0, listedLimit).map((warning) => problemView(warning, new Map(), "warning")),
    warnings.length > listedLimit && el("p", { class: "remark" }, `… and ${grouped(warnings.length - listedLimit)} more`));
}

function warningsView(open, search) {
  const warned = requests.filter((request) => request.warnings > 0);
  if (warned.length === 0) return null;
  return section(`Requests with warnings (${grouped(warned.length)})`, el("ul", { class: "failures" }, warned.slice(0, listedLimit).map((request) =>
    el("li", {}, el("button", { type: "button", class: "failure", onclick: () => open(request) },
      el("span", { class: "name" }, outcomeSign(request), " ", request.name), el("span", { class: "message" }, counted(request.warnings, "warning")))))),
    warned.length > listedLimit && el("button", { type: "button", class: "more", onclick: () => search("is:warned") }, `all ${grouped(warned.length)}`));
}

/** The slowest requests, where there are many. */
function slowestView(open) {
  const sent = requests.filter((request) => request.outcome < 4 && request.start >= 0);
  if (sent.length < 10) return null;
  const slowest = sent.sort((a, b) => b.time - a.time).slice(0, 5);
  const longest = { start: 0, time: slowest[0].time };
  return section("Slowest", el("ol", { class: "waterfall" }, slowest.map((request) =>
    el("li", {}, el("button", { type: "button", class: "fallrow", onclick: () => open(request) },
      outcomeSign(request), el("span", { class: "name" }, [...namesAround(request), request.name].join(" › ")),
      el("span", { class: "time" }, duration(request.time)),
      el("span", { class: "fall", "aria-hidden": "true" }, fallBar({ ...request, start: 0 }, longest)))))));
}

function brokenView() {
  const broken = run.broken_files || [];
  if (broken.length === 0) return null;
  return section(`Files that did not run (${broken.length})`, broken.map((file) => el("div", { class: "broken" },
    el("h4", { class: "path" }, file.path),
    (file.errors || []).map((problem) => problemView(problem, surroundings(file))))));
}

function coverageView() {
  const contracts = run.contracts || [];
  if (contracts.length === 0) return null;
  return section("Contract coverage", contracts.map((contract) => {
    const operations = contract.operations || [];
    const done = operations.filter((operation) => operation.responses > 0).length;
    const total = operations.length;
    const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
    const meter = svg("svg", { class: "meter", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
      svg("rect", { x: 0, y: 0, width: 100, height: 6, class: "reach" }), svg("rect", { x: 0, y: 0, width: percent, height: 6, class: "passed" }));
    const hasFields = operations.some((operation) => (operation.fields || []).length > 0);
    const rows = operations.map((operation) => el("tr", {},
      el("td", {}, el("span", { class: `sign ${operation.responses > 0 ? "passed" : "skipped"}` }, el("span", { "aria-hidden": "true" }, operation.responses > 0 ? "✓" : "–"),
        spoken(operation.responses > 0 ? "exercised" : "not exercised"))),
      el("td", {}, el("b", {}, operation.method), " ", operation.path, operation.deprecated && el("span", { class: "badge" }, "deprecated")),
      el("td", { class: "number" }, grouped(operation.responses)),
      el("td", {}, (operation.statuses || []).map(({ status, responses: count }) => [el("span", { class: count > 0 ? "hit" : "missed" }, status, count > 0 ? ` ×${grouped(count)}` : spoken(" never")), " "]),
        (operation.undeclared_statuses || []).map(({ status, responses: count }) => [el("span", { class: "undeclared" }, `${status} ×${grouped(count)} not declared`), " "])),
      hasFields && el("td", {}, fieldsOf(operation))));
    const label = `${contract.document}: ${grouped(done)} of ${counted(total, "operation")} (${percent} %)`;
    return el("div", { class: "contract" }, el("h4", {}, label), meter,
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, spoken("Exercised")), ["Operation", "Responses", "Statuses"].concat(hasFields ? ["Request fields"] : []).map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, rows))),
      contract.unmatched_requests > 0 && el("p", { class: "remark" }, `${counted(contract.unmatched_requests, "request")} of no operation.`));
  }), run.min_coverage !== undefined && el("p", { class: "remark" }, `Required: ${run.min_coverage} % (--min-coverage).`));
}

/** The number of an operation's request fields that were sent, and what was not. */
function fieldsOf(operation) {
  const fields = operation.fields || [];
  if (fields.length === 0) return null;
  const missed = fields.flatMap((field) => [field.requests === 0 && field.name,
    ...(field.values || []).filter((entry) => entry.requests === 0).map((entry) => `${field.name}=${entry.value}`)]).filter(Boolean);
  const sent = fields.filter((field) => field.requests > 0).length;
  return [`${grouped(sent)} of ${grouped(fields.length)} `,
    missed.map((name) => [el("span", { class: "missed" }, name, spoken(" never")), " "])];
}

/** The pane of a file or a group. */
function outerPane(line, open, search) {
  const passed = line.total - line.failed;
  return [
    line.kind === "group" && el("p", { class: "around" }, [line.parent && lines.indexOf(line.parent) >= 0 ? fileOf(line) : ""].join("")),
    el("h2", { tabindex: "-1" }, line.kind === "file" ? runName(line) : line.name),
    el("p", { class: "facts" }, line.kind === "file" && line.name && el("span", {}, line.name),
      el("span", { class: line.failed > 0 ? "outcome failed" : "outcome passed" }, line.failed > 0 ? `${grouped(line.failed)} failed` : "no failure"),
      el("span", {}, `${grouped(passed)} without a failure`), el("span", {}, duration(line.time)),
      line.kind === "file" && el("button", { type: "button", class: "more", onclick: () => search(written({ key: "file", value: runName(line) })) }, "only this file")),
    messageList("Failures", "is:failed", requests.filter((request) => isFailure(request) && request.index > line.index && request.index < line.end), open, search),
    section("Waterfall", waterfall(line, open) || el("p", { class: "remark" }, "Nothing was sent.")),
  ];
}

function fileOf(line) {
  let outer = line;
  while (outer.parent) outer = outer.parent;
  return runName(outer);
}
