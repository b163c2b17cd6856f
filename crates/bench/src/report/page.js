'use strict';
(() => {
  const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const table = document.getElementById('tasks');
  const body = table.tBodies[0];

  // Sorting: a click on a head sorts by it, another one turns the order. Empty cells stay last.
  const value = (row, index, kind) => {
    const cell = row.cells[index];
    if (kind === 'number') return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
    return cell.textContent || null;
  };
  const collator = new Intl.Collator('en', { numeric: true });
  $('th[data-sort]', table).forEach((head) => head.addEventListener('click', () => {
    const sign = head.classList.contains('up') ? -1 : 1;
    $('th', table).forEach((other) => other.classList.remove('up', 'down'));
    head.classList.add(sign === 1 ? 'up' : 'down');
    const kind = head.dataset.sort;
    const keyed = [...body.rows].map((row) => [value(row, head.cellIndex, kind), row]);
    keyed.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * (kind === 'number' ? a - b : collator.compare(a, b));
    });
    body.append(...keyed.map(([, row]) => row));
  }));

  // Filtering: all words must occur, and the results must be of the chosen kind.
  const text = document.getElementById('text');
  const kind = document.getElementById('kind');
  const accepts = {
    '': () => true,
    correct: (kinds) => kinds.every((k) => k === 'correct'),
    open: (kinds) => kinds.some((k) => k !== 'correct'),
    differ: (kinds) => new Set(kinds).size > 1,
  };
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const accept = accepts[kind.value] || ((kinds) => kinds.includes(kind.value));
    let shown = 0;
    for (const row of body.rows) {
      const content = row.textContent.toLowerCase();
      const show = words.every((word) => content.includes(word)) && accept(row.dataset.kind.split(' '));
      row.hidden = !show;
      shown += show;
    }
    document.getElementById('count').textContent = `${shown} of ${body.rows.length}`;
  };
  text.addEventListener('input', filter);
  kind.addEventListener('change', filter);
  filter();

  // The plots: the nearest point is named, a click on the legend hides a line.
  const plots = $('.plot').map((svg) => ({
    svg,
    cross: svg.querySelector('.cross'),
    series: $('.series', svg).map((group) => ({ group, points: JSON.parse(group.dataset.points) })),
  }));
  const buttons = $('.legend button');
  buttons.forEach((button) => button.addEventListener('click', () => {
    button.classList.toggle('off');
    plots.forEach(({ series }) => series[button.dataset.series].group.classList.toggle('off'));
  }));
  const tip = document.getElementById('tip');
  plots.forEach(({ svg, cross, series }) => {
    const hide = () => { cross.style.display = 'none'; tip.hidden = true; };
    svg.addEventListener('mouseleave', hide);
    svg.addEventListener('mousemove', (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      let best = null;
      series.forEach(({ group, points }, index) => {
        if (group.classList.contains('off')) return;
        points.forEach(([x, y, cpu, task], rank) => {
          const distance = (x - at.x) ** 2 + (y - at.y) ** 2;
          if (!best || distance < best.distance) best = { distance, x, y, cpu, task, rank, index };
        });
      });
      if (!best || best.distance > 3600) return hide();
      const [vertical, horizontal, ring] = cross.children;
      const box = svg.viewBox.baseVal;
      const set = (element, attributes) => Object.entries(attributes).forEach(([k, v]) => element.setAttribute(k, v));
      set(vertical, { x1: best.x, x2: best.x, y1: best.y, y2: box.height - 48 });
      set(horizontal, { x1: 62, x2: best.x, y1: best.y, y2: best.y });
      set(ring, { cx: best.x, cy: best.y });
      cross.style.display = 'inline';
      const name = buttons[best.index].firstChild.nextSibling.textContent.trim();
      tip.textContent = `${best.task}\n${name}: ${best.cpu.toPrecision(3)} s, number ${best.rank + 1}`;
      tip.hidden = false;
      const left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
      tip.style.left = `${left}px`;
      tip.style.top = `${event.clientY + 14}px`;
    });
  });
})();
