// A drawing that can be moved and zoomed, made of the numbers that the run computed.

const SVG = "http://www.w3.org/2000/svg";
const TONES = ["plain", "start", "end", "choice", "error", "faint", "shaded"];
const LINE = 15;
let drawings = 0;

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

function svgText(lines, x, y) {
  const first = y - ((lines.length - 1) * LINE) / 2 + 4;
  return lines.map((line, i) => {
    const text = svg("text", { x, y: first + i * LINE });
    text.textContent = plain(line);
    return text;
  });
}

class Drawing {
  constructor(scene, label) {
    this.scene = scene;
    this.number = ++drawings;
    this.view = { x: 0, y: 0, width: 1, height: 1 };
    this.root = svg("svg", { class: "drawing", role: "img", tabindex: "0" });
    this.root.setAttribute("aria-label", plain(label));
    const markers = TONES.map((tone) =>
      svg(
        "marker",
        { id: `to-${tone}-${this.number}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" },
        svg("path", { d: "M0 1L10 5L0 9z", class: `arrow ${tone}` }),
      ),
    );
    this.edges = scene.edges.map((edge) => this.edge(edge));
    this.nodes = scene.nodes.map((node) => this.node(node));
    this.root.append(svg("defs", {}, ...markers), ...this.edges, ...this.nodes);
    this.listen();
  }

  edge(edge) {
    const group = svg("g", { class: `edge ${edge.tone}${edge.dashed ? " dashed" : ""}` });
    const marker = edge.arrow ? `url(#to-${edge.tone}-${this.number})` : undefined;
    group.append(svg("path", { d: edge.path, "marker-end": marker }));
    if (edge.label.length) {
      const width = Math.max(...edge.label.map((line) => line.length)) * 7.3 + 6;
      const height = edge.label.length * LINE + 2;
      group.append(svg("rect", { x: edge.x - width / 2, y: edge.y - height / 2, width, height }), ...svgText(edge.label, edge.x, edge.y));
    }
    return group;
  }

  node({ x, y, w, h, shape, tone, label }) {
    const group = svg("g", { class: `node ${tone}${shape === "dashed-box" ? " absent" : ""}` });
    for (const inset of shape.startsWith("double") ? [0, 3] : [0]) {
      const [rx, ry] = [w / 2 - inset, h / 2 - inset];
      group.append(
        shape.endsWith("ellipse")
          ? svg("ellipse", { class: "outline", cx: x, cy: y, rx, ry })
          : svg("rect", { class: "outline", x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry, rx: 4 }),
      );
    }
    group.append(...svgText(label, x, y));
    return group;
  }

  listen() {
    const { root } = this;
    let from = null;
    root.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoom(Math.exp(e.deltaY * 0.0015), e.offsetX / root.clientWidth, e.offsetY / root.clientHeight);
    }, { passive: false });
    root.addEventListener("pointerdown", (e) => {
      from = { x: e.clientX, y: e.clientY, view: { ...this.view } };
      root.setPointerCapture(e.pointerId);
    });
    root.addEventListener("pointermove", (e) => {
      if (!from) return;
      const scale = from.view.width / root.clientWidth;
      this.look({ ...from.view, x: from.view.x - (e.clientX - from.x) * scale, y: from.view.y - (e.clientY - from.y) * scale });
    });
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => (from = null));
    root.addEventListener("keydown", (e) => {
      const step = this.view.width / 10;
      const keys = { "+": () => this.zoom(0.8), "-": () => this.zoom(1.25), 0: () => this.fit() };
      const moves = { h: [-step, 0], l: [step, 0], k: [0, -step], j: [0, step] };
      if (keys[e.key]) keys[e.key]();
      else if (moves[e.key]) this.look({ ...this.view, x: this.view.x + moves[e.key][0], y: this.view.y + moves[e.key][1] });
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
    new ResizeObserver(() => root.clientWidth && this.resize()).observe(root);
  }

  look(view) {
    this.view = view;
    this.root.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  }

  // The window has another size: the same scale and the same corner; the first time, a scale at which text is read.
  resize() {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (!this.scale) {
      this.scale = Math.min(1.6, Math.max(0.9, (this.scene.width + 40) / width));
      const w = width * this.scale;
      const x = Math.min(this.scene.nodes.length ? this.scene.nodes[0].x - w / 2 : 0, Math.max(-20, this.scene.width / 2 - w / 2));
      this.look({ x, y: -20, width: w, height: height * this.scale });
      if (this.wanted) this.bring(this.wanted);
    } else this.look({ ...this.view, width: width * this.scale, height: height * this.scale });
  }

  zoom(by, fx = 0.5, fy = 0.5) {
    const { x, y, width, height } = this.view;
    const factor = Math.min(8 / this.scale, Math.max(0.15 / this.scale, by));
    this.scale *= factor;
    this.look({ x: x + width * fx * (1 - factor), y: y + height * fy * (1 - factor), width: width * factor, height: height * factor });
  }

  // All of it.
  fit() {
    const { clientWidth, clientHeight } = this.root;
    this.scale = Math.max((this.scene.width + 40) / clientWidth, (this.scene.height + 40) / clientHeight, 0.3);
    const [width, height] = [clientWidth * this.scale, clientHeight * this.scale];
    this.look({ x: this.scene.width / 2 - width / 2, y: this.scene.height / 2 - height / 2, width, height });
  }

  // Marks nodes and edges, and brings the first of them into sight.
  mark(nodes, edges) {
    this.nodes.forEach((group, i) => group.classList.toggle("current", nodes.has(i)));
    this.edges.forEach((group, i) => group.classList.toggle("current", edges.has(i)));
    const node = this.scene.nodes[[...nodes][0]];
    const edge = this.scene.edges[[...edges][0]];
    const spot = edge && edge.label.length ? edge : node;
    if (spot) this.bring(spot);
  }

  bring(spot) {
    this.wanted = spot;
    if (!this.scale) return;
    const { x, y, width, height } = this.view;
    const [mx, my] = [width * 0.12, height * 0.12];
    const inside = spot.x > x + mx && spot.x < x + width - mx && spot.y > y + my && spot.y < y + height - my;
    if (!inside) this.look({ ...this.view, x: spot.x - width / 2, y: spot.y - height / 2 });
  }
}
