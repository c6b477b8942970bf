"""Rules of accessibility: names, headings, landmarks, identifiers, contrast; and axe-core's, if it is there."""

RULES = r"""
const problems = [];
const isShown = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const nameOf = element => (element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent || "").trim();
for (const element of document.querySelectorAll("button, select, input, [role=treeitem], [role=tree], [role=img], [role=region], nav, main, dialog")) {
  const label = element.getAttribute("aria-labelledby");
  if (isShown(element) && !nameOf(element) && !(label && document.getElementById(label))) problems.push(`no name: ${element.outerHTML.slice(0, 80)}`);
}
let level = 0;
for (const heading of document.querySelectorAll("#report > :not(dialog) :is(h1, h2, h3, h4)")) {
  if (!isShown(heading)) continue;
  const next = Number(heading.tagName[1]);
  if (next > level + 1) problems.push(`h${level} is followed by h${next}: ${heading.textContent.slice(0, 40)}`);
  level = next;
}
if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
if (document.querySelectorAll("main").length !== 1) problems.push("not one main");
if (!document.documentElement.lang || !document.title) problems.push("no language or title");
const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`the identifier ${id} occurs twice`);

const channels = color => color.match(/[\d.]+/g).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map(value => value / 255)
  .map(value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
const groundOf = element => {
  for (let outer = element; outer; outer = outer.parentElement) {
    const color = channels(getComputedStyle(outer).backgroundColor);
    if (color.length < 4 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
const walker = document.createTreeWalker(document.querySelector("#report"), NodeFilter.SHOW_TEXT);
const seen = new Set();
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !isShown(element) || element.closest("svg, option, .spoken")) continue;
  const [text, ground] = [channels(getComputedStyle(element).color), groundOf(element)];
  const [light, dark] = [luminance(text), luminance(ground)].sort((a, b) => b - a);
  const contrast = (light + 0.05) / (dark + 0.05);
  const key = `${text} on ${ground}`;
  if (contrast < 4.5 && !seen.has(key)) {
    seen.add(key);
    problems.push(`contrast ${contrast.toFixed(2)} of ${element.className || element.tagName}: ${key}`);
  }
}
return problems;
"""


def problems(page, axe=None):
    found = page.js(RULES)
    if axe:
        page.js(axe.read_text(encoding="utf-8") + "\nwindow.axe = axe;")
        found += page.call("POST", "/execute/async", {"script": """
            const done = arguments[arguments.length - 1];
            axe.run(document).then(result => done(result.violations.map(violation =>
              `axe: ${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 3).map(node => node.html.slice(0, 100)).join(" | ")}`)),
              error => done([`axe failed: ${error}`]));""", "args": []})
    return found
