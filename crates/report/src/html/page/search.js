// Search in the file that is shown. The browser's own search sees only the lines that are on the screen.

function startSearch() {
  const query = byId("query");
  let at = -1;
  let lines = [];
  const find = () => {
    const text = query.value.toLowerCase();
    lines = [];
    if (text) linesOf(source.file).forEach((line, i) => line.toLowerCase().includes(text) && lines.push(i + 1));
    source.hits = new Set(lines);
    at = -1;
    tell();
    source.list.refresh();
  };
  const tell = () => {
    byId("hits").textContent = !query.value ? "" : lines.length ? `${at < 0 ? "" : `${at + 1} of `}${lines.length}` : "none";
  };
  const next = (by) => {
    if (!lines.length) return;
    at = (at + by + lines.length) % lines.length;
    tell();
    openView("source");
    showLine(source.file, lines[at]);
  };
  query.addEventListener("input", find);
  byId("search").addEventListener("submit", (e) => e.preventDefault());
  query.addEventListener("keydown", (e) => {
    if (e.key === "Enter") next(e.shiftKey ? -1 : at < 0 && lines.length ? 1 : 1);
    else if (e.key === "Escape") {
      query.value = "";
      find();
      query.blur();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  });
}
