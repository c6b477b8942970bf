// The filter: words, and words with a key. It is the text in the search field, and the `q` of the address.

/** The words that choose an outcome. */
const states = {
  failed: isFailure,
  passed: (request) => request.outcome === 0,
  skipped: (request) => request.outcome === 4,
  unsent: (request) => request.outcome === 5,
  warned: (request) => request.warnings > 0,
  repeated: (request) => request.attempts > 1,
};

/** The terms of a filter: `is:failed tag:smoke file:users status:5xx "a text"`. */
function terms(text) {
  const found = [];
  for (const match of text.matchAll(/(?:(is|tag|file|status):)?(?:"([^"]*)"?|(\S+))/gi)) {
    const value = match[2] ?? match[3] ?? "";
    if (value !== "") found.push({ key: (match[1] || "").toLowerCase(), value });
  }
  return found;
}

function written(term) {
  const value = /[\s"]/.test(term.value) || term.value === "" ? `"${term.value.replaceAll('"', "")}"` : term.value;
  return term.key ? `${term.key}:${value}` : value;
}

/** A filter with other terms of a key; without any if there is no value. */
function replacing(text, key, value) {
  const others = terms(text).filter((term) => term.key !== key);
  return (value ? [{ key, value }, ...others] : others).map(written).join(" ");
}

function valueOf(text, key) {
  return terms(text).find((term) => term.key === key)?.value ?? "";
}

function haystack(request) {
  request.text ??= [
    request.name, request.url, request.message, request.path, request.stage, ...request.tags, ...namesAround(request),
    request.file ? runName(request.file) : "", request.file?.name ?? "",
  ].join("\n").toLowerCase();
  return request.text;
}

function test(term) {
  const value = term.value.toLowerCase();
  switch (term.key) {
    case "is": return states[value] ?? (() => false);
    case "tag": return (request) => request.tags.some((tag) => tag.toLowerCase() === value);
    case "file": return (request) =>
      request.path.toLowerCase().includes(value) || !!request.file && runName(request.file).toLowerCase().includes(value);
    case "status": {
      if (value === "none") return (request) => request.status === 0 && request.outcome < 4;
      const pattern = value.replaceAll("x", ".");
      if (!/^[0-9.]{3}$/.test(pattern)) return () => false;
      const expression = new RegExp(`^${pattern}$`);
      return (request) => expression.test(String(request.status));
    }
    default: return (request) => haystack(request).includes(value);
  }
}

/** The requests that fit a filter; null if it has no terms. */
function matches(text) {
  const tests = terms(text).map(test);
  return tests.length === 0 ? null : (request) => tests.every((test) => test(request));
}
