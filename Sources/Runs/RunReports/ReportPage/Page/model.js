// The data of the page: what ran, as lines in order, and the details of requests, which are read when they are opened.

const run = JSON.parse(document.getElementById("run").textContent);

const outcomes = [
  { name: "passed", sign: "✓", title: "passed" },
  { name: "failed", sign: "✗", title: "failed" },
  { name: "broken", sign: "✗", title: "no complete response" },
  { name: "invalid", sign: "✗", title: "error in the spec" },
  { name: "skipped", sign: "–", title: "skipped" },
  { name: "unsent", sign: "·", title: "not sent" },
];
const stages = ["", "setup", "teardown"];

/** Files, groups and requests in the order of the run. A line is followed by those inside it, up to `end`. */
const lines = [];
const requests = [];
const fileLines = [];

/** The compressed details, by block; each with those of the requests of one block of rows. */
const blocks = [];

function isFailure(request) {
  return request.outcome >= 1 && request.outcome <= 3;
}

function readRows() {
  const open = [];
  /** The rows of steps inside one that comes later, by its number. */
  const waiting = new Map();
  const close = () => {
    const line = open.pop();
    line.end = lines.length;
    return line;
  };
  const push = (line) => {
    line.index = lines.length;
    line.parent = open.length > 0 ? open[open.length - 1] : null;
    line.depth = open.length;
    line.end = lines.length + 1;
    line.total = 0;
    line.failed = 0;
    lines.push(line);
    return line;
  };
  const addRequest = (row, block, place) => {
    const [outcome, name, number, status, start, time, attempts, warnings, stage, url, message, tags, path, id, , timings] = row;
    const request = push({
      kind: "request", outcome, name, number: number || 0, status: status || 0, start: start ?? -1, time: time || 0,
      attempts: attempts || 0, warnings: warnings || 0, stage: stages[stage || 0], url: url || "", message: message || "",
      tags: tags || [], path: path || "", timings: timings || null, block, item: place,
    });
    request.file = open.length > 0 ? open[0] : null;
    request.ordinal = requests.length;
    requests.push(request);
    for (const line of open) {
      line.total += 1;
      if (isFailure(request)) line.failed += 1;
    }
    const inner = id ? waiting.get(id) : undefined;
    if (!inner) return;
    waiting.delete(id);
    open.push(request);
    for (const [row, block, place] of inner) addRequest(row, block, place);
    close();
  };
  for (const element of document.querySelectorAll("script.rows")) {
    const rows = JSON.parse(element.textContent);
    const block = blocks.length;
    blocks.push({ element: element.nextElementSibling, details: null });
    let place = 0;
    for (const row of rows) {
      switch (row[0]) {
        case "f":
          open.push(push({ kind: "file", path: row[1], name: row[2] || "", iteration: row[3] || 1, variant: row[4] || "",
            start: row[5] || 0, time: 0 }));
          fileLines.push(lines[lines.length - 1]);
          break;
        case "g":
          open.push(push({ kind: "group", group: row[1], name: row[2], number: row[3] || 0, stage: stages[row[4] || 0],
            start: row[5] || 0, time: 0 }));
          break;
        case "/": close().time = row[1] || 0; break;
        default: {
          const parent = row[14];
          if (!parent) addRequest(row, block, place);
          else if (waiting.has(parent)) waiting.get(parent).push([row, block, place]);
          else waiting.set(parent, [[row, block, place]]);
          place += 1;
        }
      }
    }
  }
  while (open.length > 0) close();
  // The steps of one that never ended.
  for (const rows of waiting.values()) for (const [row, block, place] of rows) addRequest(row, block, place);
}

/** The details of a request: `[step, bodies]`; null for what was left out. */
async function details(request) {
  const block = blocks[request.block];
  block.details ??= unpack(block.element.textContent);
  return (await block.details)[request.item] || [null, null];
}

async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** The folder of all files, which the list leaves out. */
function commonFolder() {
  const folders = fileLines.map((file) => file.path.slice(0, file.path.lastIndexOf("/") + 1));
  let common = folders[0] || "";
  for (const folder of folders) {
    while (!folder.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  }
  return common;
}

/** The name of a file's run: repetitions and variants of one file differ. */
function runName(file) {
  const variant = file.variant ? ` (${file.variant})` : "";
  return file.path + variant + (file.iteration > 1 ? ` (run ${file.iteration})` : "");
}

/** The names of the groups around a line, the outermost first. */
function namesAround(line) {
  const names = [];
  for (let outer = line.parent; outer && outer.kind !== "file"; outer = outer.parent) {
    if (outer.group !== "rows") names.unshift(outer.name);
  }
  return names;
}
