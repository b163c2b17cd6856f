// The steps of an execution: buttons, a slider, and the list of all.

const trace = { list: null, at: -1 };

// Where a step stands in the list of stops, or the last one before it.
function positionOf(step) {
  let [low, high] = [0, reader.list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reader.list[middle] <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function button(id, label, title, action) {
  return el("button", { id, type: "button", title, "aria-label": title, click: action }, label);
}

function startTrace(side) {
  const stepper = el(
    "div",
    { class: "stepper", role: "toolbar", "aria-label": "Steps" },
    button("first", "|◀", "First step (Home)", () => goTo(reader.list[0])),
    button("back", "◀", "One step back (←)", () => goBy(-1)),
    button("forward", "▶", "One step forward (→)", () => goBy(1)),
    button("last", "▶|", "To the violation (End)", () => goTo(reader.execution.length - 1)),
    el("input", { id: "slider", type: "range", min: "0", step: "1", "aria-label": "Step", input: (e) => goTo(reader.list[e.target.value]) }),
    el("output", { id: "position" }),
  );
  const filter = el(
    "label",
    { class: "filter", title: "Also steps that have no influence on the way to the violation (a)" },
    el("input", { id: "all", type: "checkbox", change: (e) => showAll(e.target.checked) }),
    " all steps",
  );
  const box = el("div", { id: "steps", class: "steps", role: "listbox", "aria-label": "Steps", tabindex: "0" });
  const panel = el("section", { class: "panel grow" }, el("h2", {}, "Steps", filter), box);
  trace.list = new List(box, 22, stepRow);
  onMove((what) => {
    stepper.hidden = panel.hidden = !reader.execution;
    if (!reader.execution) {
      trace.list.reset(0);
      return;
    }
    if (what === "finding" || what === "filter") {
      byId("all").checked = reader.all;
      trace.list.reset(reader.list.length);
    }
    const position = positionOf(reader.step);
    trace.list.renew([trace.at, position]);
    trace.at = position;
    const slider = byId("slider");
    slider.max = String(reader.list.length - 1);
    slider.value = String(Math.max(0, position));
    byId("position").textContent = `${position + 1} / ${reader.list.length}`;
    byId("back").disabled = byId("first").disabled = position <= 0;
    byId("forward").disabled = byId("last").disabled = reader.step === reader.execution.length - 1;
    slider.setAttribute("aria-valuetext", `step ${position + 1} of ${reader.list.length}`);
    trace.list.show(Math.max(0, position));
    const current = trace.list.rows.get(position);
    if (current) box.setAttribute("aria-activedescendant", current.id);
    if (what === "step") speak(position);
  });
  side.append(stepper);
  return panel;
}

// Tells a screen reader where the reader is.
function speak(position) {
  const step = reader.execution.step(reader.step);
  const where = step.at ? `line ${step.at[1]}` : "";
  byId("spoken").textContent = plain(`step ${position + 1} of ${reader.list.length}, ${where} in ${step.fn}: ${noteOf(step) || step.text}`);
}

function stepRow(index) {
  const number = reader.list[index];
  const step = reader.execution.step(number);
  const text = step.at && linesOf(step.at[0])[step.at[1] - 1];
  // A step between two that stand in one line is named by what it does.
  const shown = reader.all || text === undefined || text === null ? step.text : text.trim();
  const isAt = number === reader.step;
  return el(
    "div",
    {
      id: `step-${number}`,
      class: ["step", step.kind === "error" && "error", isAt && "current", !step.matters && "aside"].filter(Boolean).join(" "),
      role: "option",
      "aria-selected": String(isAt),
      "aria-setsize": String(reader.list.length),
      "aria-posinset": String(index + 1),
      title: `${place(step.at)} in ${step.fn}: ${step.text}`,
      click: () => goTo(number),
    },
    el("span", { class: "number" }, step.at ? String(step.at[1]) : ""),
    el("code", {}, "  ".repeat(Math.min(step.depth, 12)), step.kind === "call" ? `${shown}` : shown),
    el("span", { class: "note" }, noteOf(step)),
  );
}
