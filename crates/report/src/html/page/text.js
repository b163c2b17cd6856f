// Elements and text. What comes from the program or the run goes into the page through `el` and `write` alone, as text.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Characters that a reader would not see, or that change the order of what is around them.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const code = (c) => "U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

// A text with unseen characters by their numbers, for attributes.
function plain(text) {
  let out = String(text);
  while (UNSEEN.test(out)) out = out.replace(UNSEEN, (c) => "⟨" + code(c) + "⟩");
  return out;
}

// Appends a text; unseen characters become marks.
function write(parent, text) {
  let rest = String(text);
  for (;;) {
    const found = UNSEEN.exec(rest);
    if (!found) break;
    if (found.index > 0) parent.append(rest.slice(0, found.index));
    const mark = document.createElement("span");
    mark.className = "unseen";
    mark.textContent = code(found[0]);
    parent.append(mark);
    rest = rest.slice(found.index + 1);
  }
  if (rest) parent.append(rest);
  return parent;
}

// An element with attributes and children: elements, or texts. A function as an attribute listens to that event.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : plain(value));
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false) continue;
    if (child instanceof Node) node.append(child);
    else write(node, child);
  }
  return node;
}

const fileName = (number) => (data.files[number] ? data.files[number].name : "");
const baseName = (name) => name.split("/").pop();
const place = (at) => (at && data.files[at[0]] ? `${fileName(at[0])}:${at[1]}:${at[2]}` : "no place");
const shortPlace = (at) => (at && data.files[at[0]] ? `${baseName(fileName(at[0]))}:${at[1]}` : "");
const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many || one + "s"}`;

function seconds(s) {
  if (s < 0.001) return "0 ms";
  if (s < 1) return `${Math.round(s * 1000)} ms`;
  return s < 100 ? `${s.toFixed(1)} s` : `${Math.round(s)} s`;
}

// The lines of a file, split once.
const linesOf = (() => {
  const known = new Map();
  return (number) => {
    if (!known.has(number)) {
      const file = data.files[number];
      known.set(number, file && file.text !== null ? file.text.split("\n") : []);
    }
    return known.get(number);
  };
})();
