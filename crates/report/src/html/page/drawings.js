// The automata of the functions, and the states that the engine reached; the current step is marked in both.

function zoomBar(drawing) {
  return [
    button(undefined, "+", "Larger (+)", () => drawing().zoom(0.8)),
    button(undefined, "−", "Smaller (-)", () => drawing().zoom(1.25)),
    button(undefined, "fit", "All of it (0)", () => drawing().fit()),
  ];
}

function startAutomaton() {
  const view = byId("view-automaton");
  if (data.automata.length === 0) {
    byId("tab-automaton").hidden = true;
    return;
  }
  const made = new Map();
  const place = el("div", { class: "canvas" });
  let shown = -1;
  const open = (index) => {
    if (!made.has(index)) made.set(index, new Drawing(data.automata[index], `Automaton of ${data.automata[index].title}`));
    shown = index;
    chooser.value = index;
    place.replaceChildren(made.get(index).root);
    mark();
  };
  const chooser = el(
    "select",
    { "aria-label": "Function", change: (e) => open(Number(e.target.value)) },
    data.automata.map((scene, i) => el("option", { value: String(i) }, scene.title)),
  );
  const hint = el("span", { class: "hint" }, "drag to move, wheel to zoom");
  view.append(el("div", { class: "bar" }, chooser, zoomBar(() => made.get(shown)), hint), place);
  const edgeOf = (step) => (step && step.edge ? step.edge : null);
  const mark = () => {
    const scene = data.automata[shown];
    const edge = reader.execution && edgeOf(reader.execution.step(reader.step));
    const edges = new Set();
    if (edge && edge[0] === scene.function) scene.edges.forEach((e, i) => e.steps && e.steps.includes(edge[1]) && edges.add(i));
    made.get(shown).mark(new Set(), edges);
  };
  const follow = () => {
    const edge = reader.execution && edgeOf(reader.execution.step(reader.step));
    const index = edge ? data.automata.findIndex((scene) => scene.function === edge[0]) : shown;
    const main = data.automata.findIndex((scene) => /^main\(/.test(scene.title));
    const wanted = index >= 0 ? index : shown >= 0 ? shown : Math.max(0, main);
    if (wanted !== shown) open(wanted);
    else mark();
  };
  onMove(() => !view.hidden && follow());
  onView("automaton", follow);
}

function startStates() {
  const view = byId("view-states");
  if (!data.graph) {
    byId("tab-states").hidden = true;
    return;
  }
  let drawing = null;
  const show = () => {
    if (!drawing) {
      drawing = new Drawing(data.graph, `${data.graph.title}: ${plural(data.graph.nodes.length, "state")}`);
      const more = data.graph.left_out ? `; ${plural(data.graph.left_out, "more state")} not drawn` : "";
      const text = `What the engine explored: ${plural(data.graph.nodes.length, "abstract state")}${more}.`;
      view.append(el("div", { class: "bar" }, el("span", {}, text), zoomBar(() => drawing)), el("div", { class: "canvas" }, drawing.root));
    }
    drawing.mark(new Set(reader.execution ? reader.execution.statesAt(reader.step) : []), new Set());
  };
  onMove(() => !view.hidden && show());
  onView("states", show);
}
