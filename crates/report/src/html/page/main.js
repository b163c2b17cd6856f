// Views, keys, light and dark; and the start.

const VIEWS = ["source", "automaton", "states", "run", "facts"];
const viewListeners = new Map();
const onView = (name, listener) => viewListeners.set(name, listener);

function openView(name) {
  for (const view of VIEWS) {
    const isOpen = view === name;
    byId(`view-${view}`).hidden = !isOpen;
    byId(`tab-${view}`).setAttribute("aria-selected", String(isOpen));
    byId(`tab-${view}`).tabIndex = isOpen ? 0 : -1;
  }
  if (viewListeners.has(name)) viewListeners.get(name)();
  // A list that is not seen forgets where it was.
  if (name === "source" && source.at >= 0) source.list.show(source.at);
}

// The next view that is there.
function nextView(by) {
  const there = VIEWS.filter((view) => !byId(`tab-${view}`).hidden);
  const at = there.findIndex((view) => !byId(`view-${view}`).hidden);
  openView(there[(at + by + there.length) % there.length]);
}

function startTabs() {
  for (const view of VIEWS) byId(`tab-${view}`).addEventListener("click", () => openView(view));
  document.querySelector(".tabs").addEventListener("keydown", (e) => {
    if (e.key !== "ArrowRight" && e.key !== "ArrowLeft") return;
    nextView(e.key === "ArrowRight" ? 1 : -1);
    document.querySelector('.tabs [aria-selected="true"]').focus();
    e.preventDefault();
    e.stopPropagation();
  });
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

const KEYS = [
  ["→  j", "one step forward", ["ArrowRight", "j"], () => goBy(1)],
  ["←  k", "one step back", ["ArrowLeft", "k"], () => goBy(-1)],
  ["Home", "first step", ["Home"], () => reader.execution && goTo(reader.list[0])],
  ["End", "the violation", ["End"], () => reader.execution && goTo(reader.execution.length - 1)],
  ["n", "next change of the chosen variable", ["n"], () => goToChange(1)],
  ["p", "its change before", ["p"], () => goToChange(-1)],
  ["a", "all steps, or only those that matter", ["a"], () => reader.execution && showAll(!reader.all)],
  ["v", "next view: program, automaton, states, run", ["v"], () => nextView(1)],
  ["/", "search the program", ["/"], () => byId("query").focus()],
  ["t", "light or dark", ["t"], switchTheme],
  ["?", "these keys", ["?"], () => byId("keys").showModal()],
];

function startKeys() {
  const dialog = byId("keys");
  const rows = KEYS.map(([key, what]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, what)));
  dialog.append(
    el("h2", { id: "keys-title" }, "Keys"),
    el("table", {}, el("tbody", {}, rows)),
    el("p", {}, "In a drawing: + and − zoom, 0 shows all, h j k l move."),
    el("button", { type: "button", click: () => dialog.close() }, "Close"),
  );
  byId("help").addEventListener("click", () => dialog.showModal());
  byId("theme").addEventListener("click", switchTheme);
  addEventListener("keydown", (e) => {
    const isTyping = e.target instanceof Element && e.target.closest("input:not([type=checkbox]), select, textarea, dialog");
    const isSlider = e.target instanceof Element && e.target.closest("input[type=range]");
    if (e.ctrlKey || e.metaKey || e.altKey || (isTyping && !isSlider)) return;
    const known = KEYS.find(([, , keys]) => keys.includes(e.key));
    if (!known) return;
    e.preventDefault();
    known[3]();
  });
}

function start() {
  startHead();
  startProperties();
  startSource();
  const side = byId("side");
  const steps = startTrace(side);
  side.append(startValues(), startInputs(), steps, startInvariants());
  startAutomaton();
  startStates();
  startRun();
  startFacts();
  startSearch();
  startPaper();
  startTabs();
  startKeys();
  openView("source");
  const first = data.findings.findIndex((f) => f.verdict === "false");
  chooseFinding(first >= 0 ? first : data.findings.length ? 0 : -1);
}

start();
