// What is printed: no lists that scroll, but the whole path, the values, and the lines with what holds there.

const MOST_PRINTED = 2000;

function startPaper() {
  const paper = byId("paper");
  addEventListener("beforeprint", () => paper.replaceChildren(...sheets()));
  addEventListener("afterprint", () => paper.replaceChildren());
}

function sheets() {
  const parts = [el("p", { class: "result" }, data.result)];
  data.findings.forEach((finding, i) => {
    if (finding.execution) parts.push(...printedPath(finding, i));
  });
  if (data.invariants.length) {
    const items = data.invariants.map((i) => el("li", {}, `${place(i.at)}, ${i.fn}: `, el("code", {}, i.text)));
    parts.push(el("h2", {}, "Invariants"), el("ul", {}, items));
  }
  const remark = ({ text, at }) => el("li", {}, `${text} (${place(at)})`);
  if (data.assumptions.length) parts.push(el("h2", {}, "Assumptions"), el("ul", {}, data.assumptions.map(remark)));
  if (data.turns.length) parts.push(el("h2", {}, "Engines"), turnTable());
  for (const number of Object.keys(data.files)) parts.push(...printedFile(Number(number)));
  return parts;
}

function printedPath(finding, i) {
  const execution = i === reader.finding ? reader.execution : new Execution(finding.execution);
  const rows = [];
  for (let number = 0; number < execution.length && rows.length < MOST_PRINTED; number++) {
    const step = execution.step(number);
    if (!step.matters && step.kind !== "call" && number !== execution.length - 1) continue;
    const text = step.at && linesOf(step.at[0])[step.at[1] - 1];
    rows.push(
      el(
        "tr",
        {},
        el("td", {}, shortPlace(step.at)),
        el("td", {}, el("code", {}, "  ".repeat(Math.min(step.depth, 12)), text ? text.trim() : step.text)),
        el("td", {}, noteOf(step)),
      ),
    );
  }
  const inputs = execution.inputs.map((input) => input.value).join(" ");
  return [
    el("h2", {}, `${finding.name}, ${place(finding.at)}`),
    el("p", {}, `Inputs: ${inputs || "none"}`),
    el("table", { class: "path" }, el("tbody", {}, rows)),
  ];
}

function printedFile(number) {
  const lines = linesOf(number).slice(0, MOST_PRINTED);
  if (!lines.length) return [];
  const rows = lines.map((line, i) => el("div", { class: "line" }, el("span", { class: "number" }, String(i + 1)), el("code", {}, line)));
  return [el("h2", {}, fileName(number)), el("div", { class: "listing" }, rows)];
}
