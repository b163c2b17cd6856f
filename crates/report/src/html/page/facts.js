// The verdict, what it rests on, the properties, and the invariants.

const WORDS = { true: "True", false: "False", unknown: "Unknown" };
const SIGNS = { true: "✓", false: "✗", unknown: "?" };

const decider = () => (data.turns.findLast((turn) => turn.decided) || { engine: data.analysis }).engine;

function headline() {
  const violated = data.findings.find((f) => f.verdict === "false");
  if (data.many) {
    const count = (verdict) => data.findings.filter((f) => f.verdict === verdict).length;
    const parts = [["false", "violated"], ["true", "hold"], ["unknown", "open"]].filter(([v]) => count(v)).map(([v, w]) => `${count(v)} ${w}`);
    return `${plural(data.findings.length, "property", "properties")}: ${parts.join(", ")}`;
  }
  if (data.verdict === "false" && violated) return `An execution reaches ${violated.name}, ${place(violated.at)}`;
  if (data.verdict === "true") return data.vacuous ? `Vacuous: ${data.vacuous}` : `No execution violates ${data.property}${data.findings.length > 1 ? `, at ${data.findings.length} places` : ""}`;
  return `No answer: ${data.reason || "unknown"}`;
}

function startHead() {
  byId("badge").classList.add(data.verdict);
  byId("badge").append(el("span", { "aria-hidden": "true" }, SIGNS[data.verdict]), ` ${WORDS[data.verdict]}`);
  write(byId("headline"), headline());
  write(byId("subline"), `${data.inputs.join(", ")} · ${data.property} · ${data.verdict === "unknown" ? data.analysis : `found by ${decider()}`} · ${seconds(data.seconds)}`);
  const chips = byId("chips");
  const chip = (kind, text, view) => chips.append(el("li", {}, el("button", { type: "button", class: `chip ${kind}`, click: () => openView(view) }, text)));
  const { certification } = data;
  if (data.findings.some((f) => f.verdict === "false")) chip("good", "executed again, step by step", "facts");
  if (certification && certification.yes) chip("good", `certified by ${plural(certification.checks, "check")}`, "facts");
  else if (certification) chip("bad", `not certified: ${certification.reason}`, "facts");
  for (const [engine] of data.refuted) chip("bad", `the certificate of ${engine} is wrong`, "facts");
  if (data.expected !== null && data.verdict !== "unknown") {
    const agrees = String(data.expected) === data.verdict;
    chip(agrees ? "good" : "bad", agrees ? "as the task expects" : `the task expects ${data.expected}`, "facts");
  }
  chip(data.assumptions.length ? "note" : "good", data.assumptions.length ? plural(data.assumptions.length, "assumption") : "no assumptions", "facts");
  if (data.approximations.length) chip("note", `approximated at ${plural(data.approximations.length, "place")}`, "facts");
}

const link = (at) => at && data.files[at[0]] && el("button", { type: "button", class: "link", click: () => { openView("source"); showLine(at[0], at[1]); } }, place(at));

function startFacts() {
  const view = byId("view-facts");
  const { certification } = data;
  const list = (items) => el("ul", {}, items.map(({ text, at }) => el("li", {}, text, " ", link(at))));
  view.append(el("h2", {}, "The verdict"), el("p", { class: "result" }, data.result));
  if (data.findings.some((f) => f.verdict === "false")) {
    view.append(el("p", {}, "The interpreter, which shares nothing with the engines but the automaton, has executed the program with these inputs, and came to the violation."));
  }
  if (certification && certification.yes) {
    view.append(el("p", {}, `Certified: a checker apart from the engines has shown the invariants by ${plural(certification.checks, "check")} in ${seconds(certification.seconds)}.`));
  } else if (certification) view.append(el("p", {}, `Not certified: ${certification.reason}.`));
  for (const [engine, what] of data.refuted) view.append(el("p", { class: "bad" }, `The certificate of ${engine} is wrong: ${what}`));
  view.append(el("h2", {}, "Assumptions"));
  view.append(data.assumptions.length ? list(data.assumptions) : el("p", {}, "None: nothing that the program uses had to be taken for granted."));
  if (data.approximations.length) view.append(el("h2", {}, "Approximated"), list(data.approximations.slice(0, 200)));
}

// With several properties, a table that leads to each: those that are violated first, then the open ones.
function startProperties() {
  if (data.findings.length < 2) return;
  const section = byId("properties");
  const rank = { false: 0, unknown: 1, true: 2 };
  const order = data.findings.map((_, i) => i).sort((a, b) => rank[data.findings[a].verdict] - rank[data.findings[b].verdict] || a - b);
  const cells = (role, texts) => texts.map((text) => el("span", { role }, text));
  const row = (index) => {
    const number = order[index];
    const { name, property, at, verdict, reason, execution } = data.findings[number];
    const inputs = execution && `inputs ${execution.inputs.slice(0, 12).map((input) => input.value).join(" ") || "none"}`;
    const isChosen = number === reader.finding;
    return el(
      "div",
      { class: isChosen ? "finding current" : "finding", role: "row", "aria-rowindex": String(index + 2), "aria-current": String(isChosen), "data-finding": String(number) },
      el("span", { role: "cell" }, el("span", { class: `dot ${verdict}` }), verdict),
      el("span", { role: "rowheader" }, el("button", { type: "button", class: "link", click: () => chooseFinding(number) }, name)),
      cells("cell", [property, place(at), reason || inputs || ""]),
    );
  };
  section.hidden = false;
  section.setAttribute("role", "table");
  section.setAttribute("aria-rowcount", String(order.length + 1));
  const box = el("div", { class: "findings", role: "rowgroup", tabindex: "0", "aria-label": "Properties" });
  box.style.height = `${Math.min(order.length, 7) * 27}px`;
  section.append(el("div", { class: "finding head-row", role: "row" }, cells("columnheader", ["verdict", "violation", "property", "place", ""])), box);
  const list = new List(box, 27, row);
  list.reset(order.length);
  onMove((what) => {
    if (what !== "finding") return;
    list.refresh();
    list.show(order.indexOf(reader.finding));
  });
}

// Beside a program without an execution: what holds where.
function startInvariants() {
  const items = data.invariants.map((invariant) =>
    el("li", {}, el("div", {}, link(invariant.at), ` ${invariant.of_loop ? "loop" : "place"} in ${invariant.fn}`), el("code", { class: "holds" }, invariant.text)),
  );
  const none = {
    true: "The proof needs no invariant that C can say: the engine looked at all executions.",
    false: "",
    unknown: "There is no answer, so there is nothing to show.",
  };
  const body = items.length ? el("ol", { class: "invariants" }, items) : el("p", { class: "empty" }, none[data.verdict]);
  const panel = el("section", { class: "panel grow" }, el("h2", {}, "Invariants"), el("div", { class: "scroll", tabindex: "0" }, body));
  onMove(() => (panel.hidden = reader.execution !== null));
  return panel;
}
