// The values of variables and memory after the current step.

function startValues() {
  const body = el("div", { id: "values", class: "values", tabindex: "0", role: "group", "aria-label": "Values" });
  const change = el(
    "span",
    { class: "change", role: "group", "aria-label": "Changes of the chosen variable" },
    el("output", { id: "chosen" }),
    button("change-back", "◁", "Its change before (p)", () => goToChange(-1)),
    button("change-forward", "▷", "Its next change (n)", () => goToChange(1)),
  );
  const panel = el("section", { class: "panel" }, el("h2", {}, "Values", change), body);
  onMove(() => {
    panel.hidden = !reader.execution;
    if (reader.execution) drawValues(body);
  });
  return panel;
}

function drawValues(body) {
  const { execution, step, variable } = reader;
  const state = execution.after(step);
  const groups = state.frames.map(({ fn, vars }, i) => ({ title: fn, vars, top: i === state.frames.length - 1 })).reverse();
  groups.push({ title: "global", vars: state.globals });
  const cells = [...state.memory].sort(([a], [b]) => a - b).map(([, cell]) => [cell.name, cell]);
  groups.push({ title: "memory", vars: cells, size: cells.length });
  const tables = groups.filter(({ vars, size }) => (size ?? vars.size) > 0).map((group) => {
    const rows = [...group.vars].map(([name, { value, since, before }]) => valueRow(name, value, since, before));
    return el("table", { class: group.top ? "frame top" : "frame" }, el("caption", {}, group.title), el("tbody", {}, rows));
  });
  body.replaceChildren(...(tables.length ? tables : [el("p", { class: "empty" }, "No variable has a value yet.")]));
  const changes = variable ? execution.changesOf(variable) : [];
  const known = changes.filter((s) => s <= step).length;
  byId("chosen").textContent = plain(variable ? `${variable}: ${known} of ${plural(changes.length, "change")}` : "choose a variable");
  byId("change-back").disabled = !changes.some((s) => s < step);
  byId("change-forward").disabled = !changes.some((s) => s > step);
}

function valueRow(name, value, since, before) {
  const isNew = since === reader.step;
  const chosen = name === reader.variable;
  const old = isNew && before !== undefined && before !== value && el("span", { class: "before" }, el("s", {}, before), " → ");
  return el(
    "tr",
    { class: [isNew && "new", chosen && "chosen"].filter(Boolean).join(" "), "data-name": name },
    el(
      "th",
      { scope: "row" },
      el("button", { type: "button", "aria-pressed": String(chosen), title: "Follow its changes", click: () => chooseVariable(name) }, name),
    ),
    el("td", {}, old, el("span", { class: "value" }, value)),
  );
}

// What the program read, and what was written to it from outside.
function startInputs() {
  const body = el("div", { class: "inputs" });
  const panel = el("details", { class: "panel inputs-panel" }, el("summary", {}, "Inputs"), body);
  onMove((what) => {
    const execution = reader.execution;
    panel.hidden = !execution || execution.inputs.length + (execution.writes || []).length === 0;
    if (panel.hidden) return;
    if (what === "finding") panel.open = execution.inputs.length <= 8;
    panel.querySelector("summary").textContent = `Inputs (${execution.inputs.length})`;
    // The inputs that were read up to this step are those of as many steps that read.
    const read = execution.inputs.length ? execution.readBefore(reader.step + 1) : 0;
    const items = execution.inputs.slice(0, 500).map((input, i) =>
      el(
        "li",
        { class: i < read ? "read" : "" },
        el("span", { class: "value" }, input.value),
        " ",
        el("button", { type: "button", class: "link", click: () => input.at && showLine(input.at[0], input.at[1]) }, shortPlace(input.at)),
        input.external ? ` from ${input.external}` : "",
        input.unmodelled ? " (not modelled)" : "",
      ),
    );
    const more = execution.inputs.length > 500 && el("p", {}, `and ${execution.inputs.length - 500} more`);
    const writes = (execution.writes || []).map((w) => el("li", {}, `${w.fn} writes to ${w.to}: ${w.bytes}`));
    const orders = (execution.orders || []).map((at) => el("li", {}, `operands in another order than usual at ${place(at)}`));
    body.replaceChildren(el("ol", {}, items), more || "", writes.length + orders.length ? el("ul", {}, writes, orders) : "");
  });
  return panel;
}
