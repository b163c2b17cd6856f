// The run: which engine worked when, and figures.

function startRun() {
  const view = byId("view-run");
  if (data.turns.length) view.append(el("h2", {}, "Engines side by side"), timeLine(), turnTable());
  const phases = data.phases.map(([name, time]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "figure" }, seconds(time))));
  const counters = data.counters.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "figure" }, value)));
  if (phases.length) view.append(el("h2", {}, "Time"), el("table", { class: "figures" }, el("tbody", {}, phases)));
  if (counters.length) view.append(el("h2", {}, "Figures"), el("table", { class: "figures" }, el("tbody", {}, counters)));
  const memory = data.memory ? `, at most ${Math.round(data.memory / 1e6)} MB of memory` : "";
  view.append(
    el("h2", {}, "Command"),
    el("pre", {}, data.command.join(" ")),
    el("p", {}, `Robusto ${data.version}, ${seconds(data.seconds)}${memory}${data.model ? `, types as in ${data.model}` : ""}.`),
  );
}

const outcomeClass = (turn) => (turn.decided ? `decided ${turn.outcome}` : /^stopped|over$/.test(turn.outcome) ? "stopped" : "open");

// A lane per row, a bar per turn.
function timeLine() {
  const end = Math.max(...data.turns.map((turn) => turn.end), 1e-6);
  const lanes = [...new Set(data.turns.map((turn) => turn.lane))];
  const rows = lanes.map((lane) => {
    const bars = data.turns.filter((turn) => turn.lane === lane).map((turn) => {
      const bar = el("div", { class: `turn ${outcomeClass(turn)}`, title: `${turn.engine}${turn.of_slice ? " on the slice" : ""}, ${seconds(turn.start)} to ${seconds(turn.end)}: ${turn.outcome}` }, turn.engine);
      bar.style.left = `${(100 * turn.start) / end}%`;
      bar.style.width = `${Math.max(0.4, (100 * (turn.end - turn.start)) / end)}%`;
      return bar;
    });
    return el("div", { class: "lane" }, bars);
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => el("span", {}, seconds(part * end)));
  return el("div", { class: "timeline", "aria-hidden": "true" }, rows, el("div", { class: "ticks" }, ticks));
}

function turnTable() {
  const sliced = data.turns.some((turn) => turn.of_slice);
  const rows = data.turns.map((turn) =>
    el(
      "tr",
      { class: turn.decided ? "answer" : "" },
      el("th", { scope: "row" }, turn.engine),
      el("td", { class: "figure" }, String(turn.lane + 1)),
      ...(sliced ? [el("td", {}, turn.of_slice ? "slice" : "program")] : []),
      el("td", { class: "figure" }, seconds(turn.start)),
      el("td", { class: "figure" }, seconds(turn.end - turn.start)),
      el("td", {}, turn.decided ? `${turn.outcome} (the answer)` : turn.outcome),
    ),
  );
  const heads = ["engine", "lane", ...(sliced ? ["of"] : []), "began at", "worked for", "ended with"].map((head) => el("th", { scope: "col" }, head));
  return el("table", { class: "turns" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
}
