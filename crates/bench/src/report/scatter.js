'use strict';
// One preset over another: a point per task, both axes logarithmic, made from the table of tasks.
(() => {
  const section = document.getElementById('scatter');
  if (!section) return;
  const plot = section.querySelector('svg');
  const [across, up] = ['across', 'up'].map((id) => document.getElementById(id));
  const rows = [...document.getElementById('tasks').tBodies[0].rows];
  const limits = [...document.querySelectorAll('#tasks th.group')].map((head) => Number(head.dataset.limit));
  const [SIZE, LEFT, BOTTOM, TOP, SHORTEST] = [640, 58, 46, 24, 0.001];

  const shape = (tag, attributes, text) => {
    const node = document.createElementNS(plot.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };

  // What a preset made of a task: seconds if the answer is correct.
  const result = (row, column) => {
    const status = row.cells[2 + 3 * column];
    const cpu = row.cells[3 + 3 * column].dataset.value;
    const kind = ['correct', 'wrong', 'unknown', 'error', 'missing'].find((name) => status.classList.contains(name));
    return cpu === undefined ? null : { kind, cpu: Number(cpu), solved: kind === 'correct' };
  };

  const draw = () => {
    const [x, y] = [Number(across.value), Number(up.value)];
    const tasks = rows.map((row) => ({ row, a: result(row, x), b: result(row, y) })).filter(({ a, b }) => a && b);
    const solved = tasks.flatMap(({ a, b }) => [a, b]).filter((r) => r.solved).map((r) => r.cpu);
    const low = Math.floor(Math.log10(Math.max(SHORTEST, Math.min(...solved, 1))));
    const high = Math.ceil(Math.log10(Math.max(limits[x], limits[y], ...solved, 0.01)));
    const scale = (s) => (Math.log10(Math.max(SHORTEST, s)) - low) / (high - low);
    const px = (s) => LEFT + scale(s) * (SIZE - LEFT - TOP - 14);
    const py = (s) => SIZE - BOTTOM - scale(s) * (SIZE - BOTTOM - TOP - 14);
    const border = { x: SIZE - TOP, y: TOP };
    plot.replaceChildren();
    for (let exponent = low; exponent <= high; exponent++) {
      const at = 10 ** exponent;
      plot.append(
        shape('line', { x1: px(at), x2: px(at), y1: TOP, y2: SIZE - BOTTOM }),
        shape('line', { x1: LEFT, x2: SIZE - TOP, y1: py(at), y2: py(at) }),
        shape('text', { x: px(at), y: SIZE - BOTTOM + 18, class: 'middle' }, String(at)),
        shape('text', { x: LEFT - 8, y: py(at) + 4, class: 'end' }, String(at)),
      );
    }
    for (const factor of [1, 10]) {
      plot.append(shape('line', { class: 'diagonal', x1: px(10 ** low * factor), y1: py(10 ** low), x2: px(10 ** high), y2: py(10 ** high / factor) }));
      if (factor > 1) plot.append(shape('line', { class: 'diagonal', x1: px(10 ** low), y1: py(10 ** low * factor), x2: px(10 ** high / factor), y2: py(10 ** high) }));
    }
    const name = (select) => select.selectedOptions[0].textContent;
    plot.append(
      shape('text', { class: 'middle name', x: SIZE / 2, y: SIZE - 8 }, name(across)),
      shape('text', { class: 'middle name', transform: `translate(14 ${SIZE / 2}) rotate(-90)` }, name(up)),
    );
    const counts = { faster: 0, slower: 0 };
    for (const { row, a, b } of tasks) {
      if (!a.solved && !b.solved && a.kind !== 'wrong' && b.kind !== 'wrong') continue;
      if (a.solved && (!b.solved || a.cpu < b.cpu)) counts.faster++;
      if (b.solved && (!a.solved || b.cpu < a.cpu)) counts.slower++;
      const kind = a.kind === 'wrong' || b.kind === 'wrong' ? 'wrong' : a.solved && b.solved ? 'both' : 'one';
      const point = shape('circle', { class: `point ${kind}`, cx: a.solved ? px(a.cpu) : border.x, cy: b.solved ? py(b.cpu) : border.y, r: 4, tabindex: 0, role: 'link' });
      const task = row.cells[0].textContent;
      const told = (r) => (r.solved ? `${r.cpu.toPrecision(3)} s` : r.kind);
      point.append(shape('title', {}, `${task}\n${name(across)}: ${told(a)}\n${name(up)}: ${told(b)}`));
      const lead = () => {
        row.hidden = false;
        location.hash = row.id;
        row.scrollIntoView({ block: 'center' });
      };
      point.addEventListener('click', lead);
      point.addEventListener('keydown', (event) => event.key === 'Enter' && lead());
      plot.append(point);
    }
    document.getElementById('faster').textContent =
      `${name(across)} better on ${counts.faster}, ${name(up)} on ${counts.slower} of ${tasks.length} tasks`;
  };
  across.addEventListener('change', draw);
  up.addEventListener('change', draw);
  draw();
})();
