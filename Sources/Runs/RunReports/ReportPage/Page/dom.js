// Elements. Text reaches the page by text nodes and attributes alone: nothing from a run is parsed as markup.

/** Characters that would be invisible, or change the direction of the text around them. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** A text from a run with the characters that nobody sees written as their numbers. */
function visible(text) {
  return String(text).replace(/\r\n/g, "\n").replace(unseen, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}

function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === "") continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.append(child instanceof Node ? child : visible(child));
  }
  return parent;
}

/** An element with attributes, listeners (`onclick: function`) and children: texts and elements. */
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : visible(value));
  }
  return append(element, children);
}

/** An element of a drawing. */
function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, visible(value));
  }
  return append(element, children);
}

/** A text for screen readers alone. */
function spoken(text) {
  return el("span", { class: "spoken" }, text);
}

function counted(number, word) {
  return `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
}

function grouped(number) {
  return number.toLocaleString("en-US");
}

/** A duration in milliseconds for people. */
function duration(ms) {
  if (ms < 1) return `${(Math.round(ms * 100) / 100).toString()} ms`;
  if (ms < 10) return `${(Math.round(ms * 10) / 10).toString()} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

function byteCount(bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
