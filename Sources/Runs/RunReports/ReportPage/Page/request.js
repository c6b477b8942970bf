// The pane of a request: what failed, what was sent and received, and the command to send it again.

const zones = { same: "", expected: "−", actual: "+" };

function section(title, ...children) {
  return el("section", { class: "part" }, el("h3", {}, title), children);
}

/** A part that is folded until it is opened. */
function folded(title, isOpen, ...children) {
  return el("details", { open: isOpen }, el("summary", {}, title), children);
}

async function requestPane(request) {
  let step = null;
  let bodies = null;
  let problem = null;
  try {
    [step, bodies] = await details(request);
  } catch (error) {
    problem = `The details can't be read: ${error.message}`;
  }
  const outcome = outcomes[request.outcome];
  const facts = [
    request.status > 0 && `status ${request.status}`,
    request.outcome < 4 && request.start >= 0 && duration(request.time),
    step?.rounds > 1 && counted(step.rounds, "round"),
    request.attempts > Math.max(1, step?.rounds || 0) && counted(request.attempts, "attempt"),
    step?.assertions > 0 && counted(step.assertions, "assertion"),
    step?.transport && `by ${step.transport.name}`,
    step?.transfer?.summary,
  ].filter(Boolean);
  const path = [request.file && runName(request.file), ...namesAround(request), request.stage].filter(Boolean);
  const pane = [
    el("p", { class: "around" }, path.join(" › ")),
    el("h2", { tabindex: "-1" }, outcomeSign(request), " ", request.name),
    el("p", { class: "facts" }, el("span", { class: `outcome ${outcome.name}` }, outcome.title), facts.map((fact) => el("span", {}, fact)),
      el("span", { class: "place" }, `${request.path || request.file?.path || ""}:${request.number}`),
      request.tags.map((tag) => el("span", { class: "badge" }, tag))),
  ];
  if (problem) pane.push(el("p", { class: "note failed" }, problem));
  if (request.outcome === 4) pane.push(el("p", { class: "note" }, step?.reason || request.message || "skipped"));
  if (!step) {
    if (request.message && request.outcome !== 4) pane.push(el("p", { class: "note" }, request.message));
    if (!problem) pane.push(el("p", { class: "remark" }, "The details of this request were left out: the report has a limit."));
    return pane;
  }
  const around = surroundings(step);
  if (step.problem) pane.push(section("Problem", problemView(step.problem, around)));
  if (step.failures?.length) {
    pane.push(section(`Failed (${step.failures.length})`, step.failures.map((failure) => assertionView(failure, around, "failed"))));
  }
  if (step.skipped?.length) {
    pane.push(section("Skipped, since their `when` does not hold", el("ul", { class: "passes" }, step.skipped.map((group) =>
      el("li", {}, el("span", { class: "sign skipped", "aria-hidden": "true" }, "–"), el("span", {}, el("code", {}, (group.subjects || []).join(", "))),
        group.place && el("span", { class: "place" }, `line ${group.place.line}`))))));
  }
  if (step.warnings?.length) {
    pane.push(section(`Warnings (${step.warnings.length})`, step.warnings.map((warning) => assertionView(warning, around, "warning"))));
  }
  if (request.attempts > 1 && step.attempts?.length) pane.push(attemptsView(step, request));
  if (step.hops?.length) pane.push(section(step.hops.length > 1 ? `Exchanges (${step.hops.length + (step.more_hops || 0)})` : "Exchange", hopViews(step, bodies, request)));
  if (step.transfer?.details?.length) pane.push(section("Transfer", el("ul", { class: "plain" }, step.transfer.details.map((line) => el("li", {}, line)))));
  if (step.passed?.length) {
    pane.push(el("section", { class: "part" }, folded(el("h3", {}, `Passed assertions (${step.passed.length})`), false,
      el("ul", { class: "passes" }, step.passed.map((passed) =>
        el("li", {}, el("span", { class: "sign passed", "aria-hidden": "true" }, "✓"), el("span", {}, el("code", {}, passed.subject),
          passed.predicate && ` ${passed.predicate}`), passed.place && el("span", { class: "place" }, `line ${passed.place.line}`)))))));
  }
  if (step.captures?.length) {
    pane.push(section("Captured", el("dl", { class: "values" }, step.captures.map(({ name, value }) => [el("dt", {}, name), el("dd", {}, el("code", {}, value))]))));
  }
  if (step.snapshot) pane.push(section("Snapshot", el("p", {}, step.snapshot.updated ? "updated: " : "written: ", el("code", {}, step.snapshot.path))));
  if (step.curl) pane.push(section("As a curl command", commandView(step.curl)));
  return pane;
}

function commandView(command) {
  const code = el("pre", { class: "command", tabindex: "0" }, command);
  const state = el("span", { role: "status", class: "spoken" });
  const button = el("button", { type: "button", class: "copy", onclick: async () => {
    const done = await copy(command, code);
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    state.textContent = done ? "The command was copied." : "The command is selected.";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  } }, "Copy");
  return el("div", { class: "copied" }, code, button, state);
}

/** Copies a text; selects its element where pages may not copy. */
async function copy(text, element) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}

/** The lines around places, by the place. */
function surroundings(record) {
  return new Map((record.surroundings || []).map(({ place, lines }) => [place, lines || []]));
}

/** The line of a spec, the relevant part marked, with the lines around it. */
function frameView(place, around) {
  if (!place) return null;
  const name = `${place.file}:${place.line}:${place.column}`;
  if (place.text === undefined) return el("p", { class: "place" }, name);
  const own = { line: place.line, text: marked(place.text, place.mark, true) };
  const lines = [...(around.get(name) || []), own].sort((a, b) => a.line - b.line);
  const width = String(lines.at(-1).line).length;
  return el("div", { class: "frame" }, el("p", { class: "place" }, name), el("pre", { tabindex: "0" },
    lines.map((line) => el("span", { class: line === own ? "line marked" : "line" },
      el("span", { class: "gutter" }, `${String(line.line).padStart(width)} │ `), line.text, "\n"))));
}

function problemView(problem, around, kind = "failed") {
  return el("div", { class: `assertion ${kind}` },
    el("h4", {}, problem.message), frameView(problem.place, around),
    (problem.notes || []).map((note) => [el("p", { class: "remark" }, `note: ${note.message}`), frameView(note.place, around)]),
    problem.help && el("p", { class: "hint" }, el("b", {}, "help: "), problem.help));
}

function assertionView(failure, around, kind) {
  const view = el("div", { class: `assertion ${kind}` },
    el("h4", {}, el("code", {}, failure.subject), failure.predicate && [" ", failure.predicate]),
    frameView(failure.place, around),
    (failure.notes || []).map((note) => [el("p", { class: "remark" }, `note: ${note.message}`), frameView(note.place, around)]));
  const differences = failure.differences || [];
  if (differences.length > 1 || differences.length === 1 && differences[0].path !== "$") {
    append(view, [failure.summary && el("p", {}, failure.summary), differences.map(differenceView),
      failure.more_differences > 0 && el("p", { class: "remark" }, `… and ${counted(failure.more_differences, "more difference")}`)]);
  } else {
    append(view, [comparison(failure)]);
  }
  return append(view, [
    failure.body && el("dl", { class: "values" }, el("dt", {}, "body"), el("dd", {}, el("code", {}, failure.body))),
    failure.dependents?.length && el("p", { class: "remark" }, `also fails: ${failure.dependents.slice(0, 8).join(", ")}`,
      failure.dependents.length > 8 && ` and ${failure.dependents.length - 8} more`),
    failure.hint && failure.hint.split("\n").map((hint) => el("p", { class: "hint" }, el("b", {}, "hint: "), hint)),
    failure.declared && el("p", { class: "place" }, `declared: ${failure.declared}`),
  ]);
}

/** The expected and the actual value, the relevant part of the latter marked. */
function comparison(values) {
  return el("dl", { class: "values" },
    values.expected !== undefined && [el("dt", {}, "expected"), el("dd", { class: "expected" }, el("code", {}, values.expected))],
    values.actual !== undefined && [el("dt", {}, "actual"), el("dd", { class: "actual" }, el("code", {}, marked(values.actual, values.mark)),
      values.mark?.label && el("span", { class: "remark" }, ` ${values.mark.label}`))]);
}

/** A text with a mark, whose places count Unicode characters. */
function marked(text, mark, showsPoint = false) {
  if (!mark || mark.start === mark.end && !showsPoint) return text;
  const characters = [...text];
  const part = (start, end) => characters.slice(start, end).join("");
  return [part(0, mark.start), el("mark", { class: mark.start === mark.end ? "point" : null }, part(mark.start, mark.end)), part(mark.end)];
}

function differenceView(difference) {
  const remarks = [difference.count > 1 && `${difference.count} times`, difference.note].filter(Boolean).join(", ");
  const words = { missing: "missing", unexpected: "unexpected", changed: "" }[difference.kind];
  const title = el("p", { class: "path" }, el("code", {}, difference.path),
    words && el("span", { class: "remark" }, ` ${words}`), remarks && el("span", { class: "remark" }, ` (${remarks})`));
  if (!difference.lines?.length) return el("div", { class: "difference" }, title, comparison(difference));
  const rows = difference.lines.map((line) =>
    el("span", { class: `line ${line.side}` }, el("span", { class: "zone" }, zones[line.side].padEnd(2)),
      line.side !== "same" && spoken(`${line.side}: `), line.text, "\n"));
  return el("div", { class: "difference" }, title, el("pre", { class: "lines", tabindex: "0" }, rows));
}

function attemptsView(step, request) {
  const first = Date.parse(step.attempts[0].start);
  const title = step.rounds > 1 ? `Rounds (${step.rounds})` : `Attempts (${request.attempts})`;
  const rows = step.attempts.map((attempt) => el("tr", {},
    el("td", {}, attempt.round ? `${attempt.round}${step.rounds === request.attempts ? "" : `.${attempt.number}`}` : String(attempt.number)),
    el("td", {}, `at ${duration(Date.parse(attempt.start) - first)}`), el("td", {}, duration(attempt.duration * 1000)),
    el("td", {}, attempt.status ? String(attempt.status) : "–"),
    el("td", {}, attempt.reason || (attempt.outcome === "passed" ? "passed" : attempt.outcome.replaceAll("_", " ")))));
  return el("section", { class: "part" }, folded(el("h3", {}, title), step.attempts.length <= 5,
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, el("table", {},
      el("thead", {}, el("tr", {}, ["#", "Start", "Duration", "Status", "Result"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows))),
    request.attempts > step.attempts.length && el("p", { class: "remark" }, `${request.attempts - step.attempts.length} attempts in the middle were left out.`)));
}

/** The exchanges; all but the last few are folded. */
function hopViews(step, bodies, request) {
  const last = step.hops.length - 1;
  const own = step.hops.findLastIndex((hop) => !hop.part);
  const shown = own < 0 ? last : own;
  const hops = step.hops.map((hop, index) => hopView(hop, bodies === 0 ? [0, 0] : bodies?.[index], step, request, index === shown));
  const views = [...hops];
  if (step.more_hops > 0) views.splice(step.hops.length / 2, 0, el("p", { class: "remark" }, `… ${counted(step.more_hops, "exchange")} left out …`));
  if (views.length <= 5) return views;
  const count = last + (step.more_hops || 0);
  const title = shown === last ? `${counted(count, "exchange")} before the last` : counted(count, "other exchange");
  return [folded(title, false, views.filter((view) => view !== hops[shown])), hops[shown]];
}

function hopView(hop, bodies, step, request, isLast) {
  const response = hop.response;
  const title = el("span", { class: "hop" },
    el("b", {}, hop.request.method), " ", el("span", { class: "url" }, hop.request.url),
    el("span", { class: "result" }, response ? ` → ${response.status} ${response.reason || ""}` : " → no response"),
    hop.timings && el("span", { class: "time" }, duration(hop.timings.total * 1000)),
    step.hops.length > 1 && request.attempts > 1 && el("span", { class: "remark" }, ` attempt ${hop.attempt}`));
  const remarks = [
    hop.remote_address && `to ${hop.remote_address}`, hop.request.proxy && `by the proxy ${hop.request.proxy}`,
    hop.cache && `cache: ${hop.cache}`, hop.note, hop.problem,
  ].filter(Boolean);
  const line = `${hop.request.method} ${hop.request.target}${hop.request.http_version ? ` ${hop.request.http_version}` : ""}`;
  const answer = response && `${response.http_version ? `HTTP/${response.http_version}` : "HTTP"} ${response.status} ${response.reason || ""}`.trim();
  return el("details", { class: "exchange", open: isLast }, el("summary", {}, title),
    remarks.length > 0 && el("p", { class: "remark" }, remarks.join(" · ")), hop.timings && timingView(hop.timings),
    messageView("Request", line, hop.request, bodies?.[0], isFailure(request)),
    response ? messageView("Response", answer, response, bodies?.[1], isFailure(request)) : null,
    response?.messages?.length > 0 && conversationView(response));
}

/** The messages of a WebSocket: direction, type, and content. */
function conversationView({ messages, more_messages: more }) {
  const first = Date.parse(messages[0].time);
  const rows = messages.map((message) => el("tr", {},
    el("td", {}, message.direction === "sent" ? "→ sent" : "← received"), el("td", {}, message.type),
    el("td", {}, `at ${duration(Date.parse(message.time) - first)}`), el("td", {}, byteCount(message.size)),
    el("td", {}, message.code !== undefined && `${message.code} `, message.text && el("code", {}, message.text),
      message.base64 && el("pre", { class: "body", tabindex: "0" }, bytesText(message.base64)), message.cut && " …")));
  return el("div", { class: "message" },
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Messages" }, el("table", {},
      el("thead", {}, el("tr", {}, ["Direction", "Type", "Time", "Size", "Content"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows))),
    more > 0 && el("p", { class: "remark" }, `… and ${counted(more, "more message")}`));
}

function messageView(title, line, message, body, isOpen) {
  const fields = (noun, list = []) => list.length > 0
    && el("details", { class: "headers", open: isOpen }, el("summary", {}, counted(list.length, noun)),
      el("dl", {}, list.map(({ name, value }) => [el("dt", {}, name), el("dd", {}, value)])));
  const { size, wire_size: wire } = message.body || {};
  const sizes = size > 0 ? byteCount(size) + (wire !== undefined && wire !== size ? `, ${byteCount(wire)} on the wire` : "") : "";
  return el("div", { class: "message" },
    el("p", { class: "first" }, spoken(`${title}: `), el("code", {}, line), sizes && el("span", { class: "size" }, sizes)),
    fields("header", message.headers),
    body ? contentView(body, size) : body === 0 && size > 0 && el("p", { class: "remark" }, "The body was left out: the report has a limit."),
    fields("trailer", message.trailers));
}

/** The content of a body: text, bytes as numbers, or a description. */
function contentView(body, size) {
  const beginning = body.cut && el("p", { class: "remark" }, size > 0 ? `The beginning of ${byteCount(size)}.` : "The beginning.");
  if (body.text !== undefined) return body.text === "" ? null : [bodyView(body.text, body.content_type || ""), beginning];
  if (body.description !== undefined) return el("pre", { class: "body", tabindex: "0" }, body.description);
  if (body.base64 !== undefined) return [el("pre", { class: "body", tabindex: "0" }, bytesText(body.base64)), beginning];
  return null;
}

/** Bytes as numbers, and as characters where they are ASCII. */
function bytesText(base64) {
  const bytes = atob(base64);
  let text = "";
  for (let start = 0; start < bytes.length; start += 16) {
    const part = [...bytes.slice(start, start + 16)];
    const numbers = part.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join(" ");
    text += `${start.toString(16).padStart(4, "0")}  ${numbers.padEnd(47)}  ${part.map((byte) => /[ -~]/.test(byte) ? byte : "·").join("")}\n`;
  }
  return text.trimEnd();
}

function timingView(timings) {
  const values = [timings.name_lookup, timings.connect, timings.tls, timings.first_byte, timings.total]
    .map((value) => value === undefined ? null : value * 1000);
  const total = Math.max(values[4], 0.001);
  const found = spans(values);
  const bar = svg("svg", { class: "timing", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" });
  for (const { phase, from, to } of found) {
    bar.append(svg("rect", { x: (from / total) * 1000, y: 0, width: Math.max(2, ((to - from) / total) * 1000), height: 10, class: `phase ${phase.name}` }));
  }
  return el("div", { class: "timings" }, bar, el("ul", { class: "legend", "aria-label": "Timings" }, found.map(({ phase, from, to }) =>
    el("li", {}, el("span", { class: `key phase ${phase.name}` }), `${phase.title} `, el("b", {}, duration(to - from))))));
}
