// Bodies as people read them: JSON indented, tokens in colours. Every token is a text node.

/** The longest text whose tokens are coloured. */
const highlightLimit = 200_000;

function bodyView(text, type) {
  const trimmed = text.trimStart();
  const kind = /json/i.test(type) || /^[[{]/.test(trimmed) ? "json" : /xml|html/i.test(type) || /^<[a-z!?]/i.test(trimmed) ? "markup" : "text";
  const shown = kind === "json" ? indented(text) : text;
  const view = el("pre", { class: `body ${kind}`, tabindex: "0" });
  if (kind === "text" || shown.length > highlightLimit) return append(view, [shown]);
  return append(view, kind === "json" ? jsonTokens(shown) : markupTokens(shown));
}

/** JSON with a line for each member; numbers stay as they were written. Anything else stays as it is. */
function indented(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let result = "";
  let depth = 0;
  let last = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const opens = token === "{" || token === "[";
    const closes = token === "}" || token === "]";
    if (closes) depth -= 1;
    if (closes ? last !== "{" && last !== "[" : last === "{" || last === "[" || last === ",") {
      result += `\n${"  ".repeat(depth)}`;
    }
    result += token === ":" ? ": " : token;
    if (opens) depth += 1;
    last = token;
  }
  return result;
}

function tokens(text, pattern, classOf) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) found.push(text.slice(end, match.index));
    const name = classOf(match);
    found.push(name ? el("span", { class: name }, match[0]) : match[0]);
    end = match.index + match[0].length;
  }
  found.push(text.slice(end));
  return found;
}

function jsonTokens(text) {
  return tokens(text, /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g, (match) =>
    match[1] ? (match[2] ? "t-name" : "t-text") : /^[-\d]/.test(match[0]) ? "t-number" : "t-word");
}

function markupTokens(text) {
  return tokens(text, /<!--[^]*?(?:-->|$)|<\/?[a-zA-Z][^\s>/]*|\/?>|\b[\w:-]+(?==["'])|"[^"<]*"|'[^'<]*'/g, (match) => {
    const token = match[0];
    if (token.startsWith("<!--")) return "t-remark";
    if (token.startsWith("<") || token.endsWith(">")) return "t-name";
    return /^["']/.test(token) ? "t-text" : "t-word";
  });
}
