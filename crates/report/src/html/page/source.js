// The program's text: lines, invariants between them, the way of the execution, the values at the current line.

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool").split(" "),
);
const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|([A-Za-z_]\w*)|(\d[\w.]*)|(#\s*\w+)|([\s\S])/gy;
const ROW = 20;

const source = { file: 0, rows: [], rowOf: new Map(), list: null, hits: new Set(), visits: new Map(), at: -1 };

// Whether each line of a file begins inside of a comment.
const commentStarts = (() => {
  const known = new Map();
  return (number) => {
    if (!known.has(number)) {
      let inside = false;
      const starts = linesOf(number).map((line) => {
        const before = inside;
        let at = 0;
        for (;;) {
          const next = inside ? line.indexOf("*/", at) : line.indexOf("/*", at);
          const single = inside ? -1 : line.indexOf("//", at);
          if (next < 0 || (single >= 0 && single < next)) break;
          inside = !inside;
          at = next + 2;
        }
        return before;
      });
      known.set(number, starts);
    }
    return known.get(number);
  };
})();

// Writes a line with its tokens; the one at a column is marked.
function writeCode(parent, text, inComment, column) {
  let at = 0;
  if (inComment) {
    const end = text.indexOf("*/");
    at = end < 0 ? text.length : end + 2;
    parent.append(el("span", { class: "comment" }, text.slice(0, at)));
  }
  TOKEN.lastIndex = at;
  for (let token = at < text.length && TOKEN.exec(text); token; token = TOKEN.lastIndex < text.length && TOKEN.exec(text)) {
    const [word, comment, string, name, number, directive] = token;
    const start = token.index;
    let kind = "";
    if (comment) kind = "comment";
    else if (string) kind = "string";
    else if (name && KEYWORDS.has(name)) kind = "keyword";
    else if (number) kind = "literal";
    else if (directive) kind = "directive";
    if (column && start <= column - 1 && column - 1 < start + word.length) kind += " here";
    if (kind) parent.append(el("span", { class: kind.trim() }, word));
    else write(parent, word);
  }
}

// The rows of a file: its lines, and before a line the invariants that hold there.
function rowsOf(number) {
  const invariants = new Map();
  for (const invariant of data.invariants) {
    if (invariant.at && invariant.at[0] === number) {
      const line = invariant.at[1];
      invariants.set(line, [...(invariants.get(line) || []), invariant]);
    }
  }
  const rows = [];
  linesOf(number).forEach((_, i) => {
    for (const invariant of invariants.get(i + 1) || []) rows.push({ line: i + 1, invariant });
    rows.push({ line: i + 1 });
  });
  return rows;
}

function indentOf(text) {
  return text.length - text.trimStart().length;
}

function sourceRow(index) {
  const { line, invariant } = source.rows[index];
  const text = linesOf(source.file)[line - 1];
  if (invariant) {
    const label = invariant.of_loop ? "whenever the loop is tested" : "always, here";
    return el(
      "div",
      { class: "line invariant", role: "listitem", title: `${label}: ${invariant.text}` },
      el("span", { class: "number", "aria-hidden": "true" }, "∀"),
      el("code", {}, " ".repeat(Math.min(indentOf(text), 24)), el("span", { class: "holds" }, invariant.text)),
    );
  }
  const finding = data.findings[reader.finding];
  const step = reader.execution && reader.execution.step(reader.step);
  const isAt = step && step.at && step.at[0] === source.file && step.at[1] === line;
  const isError = finding && finding.verdict === "false" && finding.at && finding.at[0] === source.file && finding.at[1] === line;
  const visits = source.visits.get(line) || [];
  const classes = ["line"];
  if (isAt) classes.push("current");
  if (visits.length) classes.push("visited");
  if (isError) classes.push("error");
  if (source.hits.has(line)) classes.push("hit");
  const body = el("code", {});
  writeCode(body, text, commentStarts(source.file)[line - 1], isAt ? step.at[2] : 0);
  const note = isAt ? noteOf(step) : "";
  return el(
    "div",
    {
      class: classes.join(" "),
      role: "listitem",
      "aria-current": isAt ? "step" : undefined,
      "data-line": line,
      title: visits.length ? `${plural(visits.length, "step")} of the execution; a click goes to the next` : undefined,
      click: visits.length ? () => goTo(visits.find((s) => s > reader.step) ?? visits[0]) : undefined,
    },
    el("span", { class: "number" }, String(line)),
    body,
    note && el("span", { class: "note" }, note),
  );
}

// What a step did, in a few words.
function noteOf(step) {
  const stored = step.stored ? [[step.stored.name, step.stored.value]] : [];
  const pairs = [...step.changes, ...stored, ...step.reads.filter(([name]) => !step.changes.some(([n]) => n === name))];
  const values = pairs.map(([name, value]) => `${name} = ${value}`).join(", ");
  const outcome = { true: "→ true", false: "→ false", error: "← violated", input: "input" }[step.kind] || "";
  return [values, outcome].filter(Boolean).join("  ");
}

function openFile(number) {
  source.file = number;
  source.rows = rowsOf(number);
  source.rowOf = new Map();
  source.rows.forEach(({ line, invariant }, i) => invariant || source.rowOf.set(line, i));
  source.hits = new Set();
  countVisits();
  const widest = linesOf(number).reduce((most, line) => Math.max(most, line.length), 0);
  source.list.reset(source.rows.length, Math.min(widest, 400) + 14);
  const chooser = byId("file");
  if (chooser) chooser.value = number;
  const text = data.files[number] && data.files[number].text;
  byId("no-text").hidden = text !== null && text !== undefined;
}

// The steps at each line of the file.
function countVisits() {
  source.visits = new Map();
  if (!reader.execution) return;
  for (const number of reader.list) {
    const { at } = reader.execution.step(number);
    if (!at || at[0] !== source.file) continue;
    if (!source.visits.has(at[1])) source.visits.set(at[1], []);
    source.visits.get(at[1]).push(number);
  }
}

function showLine(number, line) {
  if (number !== source.file) openFile(number);
  const row = source.rowOf.get(line);
  if (row !== undefined) source.list.show(row);
}

function startSource() {
  const numbers = Object.keys(data.files).map(Number);
  const view = byId("view-source");
  const options = numbers.map((n) => el("option", { value: String(n) }, fileName(n)));
  const chooser = el("select", { id: "file", "aria-label": "File", change: (e) => openFile(Number(e.target.value)) }, options);
  if (numbers.length > 1) view.append(el("div", { class: "bar" }, chooser));
  view.append(el("p", { id: "no-text", class: "empty", hidden: true }, "The text of this file is not known."));
  const box = el("div", { class: "code", role: "list", "aria-label": "Program", tabindex: "0" });
  view.append(box);
  source.list = new List(box, ROW, sourceRow);
  const first = data.findings.find((f) => f.at && data.files[f.at[0]]);
  const invariant = data.invariants.find((i) => i.at && data.files[i.at[0]]);
  if (numbers.length) openFile(first ? first.at[0] : invariant ? invariant.at[0] : numbers[0]);
  onMove((what) => {
    if (what === "finding" || what === "filter") countVisits();
    const at = reader.execution ? reader.execution.step(reader.step).at : (data.findings[reader.finding] || {}).at;
    const before = source.at;
    if (what === "finding" && data.verdict === "true" && invariant && before < 0) {
      showLine(invariant.at[0], invariant.at[1]);
      source.at = source.rowOf.get(invariant.at[1]) ?? 0;
      source.list.refresh();
      return;
    }
    if (at && data.files[at[0]]) {
      showLine(at[0], at[1]);
      source.at = source.rowOf.get(at[1]) ?? -1;
    }
    // From step to step only the lines change that were and are current.
    if (what === "step") source.list.renew([before, source.at]);
    else source.list.refresh();
  });
}
