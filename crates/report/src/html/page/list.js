// A list of many rows of one height, of which only those exist that are seen.

const AROUND = 12;

class List {
  // `row(index)` makes the element of a row.
  constructor(box, height, row) {
    Object.assign(this, { box, height, row, count: 0, rows: new Map(), pending: false });
    this.inner = el("div", { class: "rows" });
    box.append(this.inner);
    box.addEventListener("scroll", () => this.soon(), { passive: true });
    new ResizeObserver(() => this.soon()).observe(box);
  }

  // There are so many rows now, the widest of so many characters; all are made again.
  reset(count, widest) {
    this.count = count;
    this.inner.style.height = `${count * this.height}px`;
    this.inner.style.minWidth = widest ? `${widest}ch` : "";
    this.refresh();
  }

  // Makes these rows again, as far as they are there.
  renew(indices) {
    for (const index of indices) {
      const old = this.rows.get(index);
      if (!old) continue;
      old.remove();
      this.rows.delete(index);
    }
    this.draw();
  }

  // Makes the rows again that are there.
  refresh() {
    for (const node of this.rows.values()) node.remove();
    this.rows.clear();
    this.draw();
  }

  soon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - AROUND);
    const last = Math.min(this.count, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + AROUND);
    for (const [index, node] of this.rows) {
      if (index < first || index >= last) {
        node.remove();
        this.rows.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (this.rows.has(index)) continue;
      const node = this.row(index);
      node.style.top = `${index * this.height}px`;
      node.style.height = `${this.height}px`;
      this.rows.set(index, node);
      this.inner.append(node);
    }
  }

  // Scrolls so that a row is seen, with some rows around it.
  show(index) {
    const top = index * this.height;
    const room = Math.min(4 * this.height, this.box.clientHeight / 4);
    if (top < this.box.scrollTop + room) this.box.scrollTop = Math.max(0, top - this.box.clientHeight / 3);
    else if (top + this.height > this.box.scrollTop + this.box.clientHeight - room) {
      this.box.scrollTop = top - (this.box.clientHeight * 2) / 3;
    }
    this.draw();
  }
}
