// Executions, and where the reader is in one.

// Steps between states that are kept; the others are made from these.
const KEPT = 128;

const globalNames = new Set(data.globals.map(([name]) => name));

// Variables and memory of an execution after some step: those of all calls, and the pending calls with their own.
class State {
  constructor(step, globals, frames, memory) {
    Object.assign(this, { step, globals, frames, memory });
  }

  static start(main) {
    const globals = new Map(data.globals.map(([name, value]) => [name, { value, since: -1 }]));
    return new State(-1, globals, [{ fn: main, vars: new Map() }], new Map());
  }

  copy() {
    const frames = this.frames.map(({ fn, vars }) => ({ fn, vars: new Map(vars) }));
    return new State(this.step, new Map(this.globals), frames, new Map(this.memory));
  }

  // Takes one step.
  take(execution) {
    const number = ++this.step;
    const { kind, depth, fn, changes, stored } = execution.step(number);
    if (kind === "return") this.frames.length = Math.max(1, Math.min(this.frames.length, depth));
    else while (this.frames.length > depth + 1) this.frames.pop();
    if (kind === "call") this.frames.push({ fn: execution.functionAt(number + 1), vars: new Map() });
    const frame = this.frames[this.frames.length - 1];
    if (kind !== "call" && kind !== "return") frame.fn = fn;
    for (const [name, value] of changes) {
      const own = kind === "call" || kind === "uninitialised" || frame.vars.has(name) || !globalNames.has(name);
      const vars = own ? frame.vars : this.globals;
      const old = vars.get(name);
      vars.set(name, { value, since: number, before: old ? old.value : undefined });
    }
    if (stored) this.store(stored, number);
  }

  // Puts a value into memory; what was where it is now is no more.
  store({ name, value, address, size }, since) {
    const old = this.memory.get(address);
    for (const [other, cell] of this.memory) {
      if (other < address + size && address < other + cell.size) this.memory.delete(other);
    }
    this.memory.set(address, { name, value, size, since, before: old && old.size === size ? old.value : undefined });
  }
}

class Execution {
  constructor(raw) {
    Object.assign(this, raw);
    this.kept = [State.start(this.functionAt(0))];
    this.heads = new Map();
  }

  get length() {
    return this.steps.length;
  }

  functionAt(number) {
    const step = this.steps[Math.min(number, this.steps.length - 1)];
    return step ? this.ops[step[0]].fn : "";
  }

  step(number) {
    const [op, depth, matters, changes, reads, cell] = this.steps[number];
    const named = ([name, value]) => [this.names[name], value];
    const stored = cell && { name: this.names[cell[0]], value: cell[1], address: cell[2], size: cell[3] };
    return { ...this.ops[op], depth, matters: matters === 1, changes: changes.map(named), reads: reads.map(named), stored };
  }

  // The state after a step.
  after(number) {
    const near = Math.min(Math.floor((number + 1) / KEPT), this.kept.length - 1);
    let state = this.kept[near].copy();
    while (state.step < number) {
      state.take(this);
      if ((state.step + 1) % KEPT === 0 && (state.step + 1) / KEPT === this.kept.length) this.kept.push(state.copy());
    }
    return state;
  }

  // The steps that give a variable a value.
  changesOf(name) {
    if (!this.heads.has(name)) {
      const number = this.names.indexOf(name);
      const found = [];
      this.steps.forEach(([, , , changes, , cell], i) => {
        if (changes.some(([n]) => n === number) || (cell && cell[0] === number)) found.push(i);
      });
      this.heads.set(name, found);
    }
    return this.heads.get(name);
  }

  // How many steps before this one read an input.
  readBefore(number) {
    if (!this.reads) {
      this.reads = [0];
      for (const [op] of this.steps) this.reads.push(this.reads[this.reads.length - 1] + (this.ops[op].kind === "input" ? 1 : 0));
    }
    return this.reads[number];
  }

  // The states of the graph before a step.
  statesAt(number) {
    let i = Math.min(number, this.way.length - 1);
    while (i > 0 && this.way[i].length === 0) i--;
    return i >= 0 ? this.way[i] : [];
  }
}

// Where the reader is.
const reader = { finding: -1, execution: null, step: 0, all: false, variable: null };
const listeners = [];
const onMove = (listener) => listeners.push(listener);
const moved = (what) => listeners.forEach((listener) => listener(what));

// Whether a step is one at which the reader stops.
function isStop(number) {
  if (reader.all || number === reader.execution.length - 1) return true;
  const { matters, kind, at } = reader.execution.step(number);
  return (matters || kind === "call") && at !== null && data.files[at[0]] !== undefined;
}

// All such steps.
function stops() {
  const found = [];
  for (let i = 0; i < reader.execution.length; i++) if (isStop(i)) found.push(i);
  return found;
}

function chooseFinding(number) {
  const finding = data.findings[number];
  reader.finding = number;
  reader.execution = finding && finding.execution ? new Execution(finding.execution) : null;
  reader.variable = null;
  reader.step = reader.execution ? reader.execution.length - 1 : 0;
  reader.list = reader.execution ? stops() : [];
  moved("finding");
}

function showAll(all) {
  reader.all = all;
  reader.list = stops();
  if (!isStop(reader.step)) reader.step = reader.list.find((step) => step >= reader.step);
  moved("filter");
}

function goTo(step) {
  if (!reader.execution || step < 0 || step >= reader.execution.length) return;
  reader.step = step;
  moved("step");
}

// The stop before (-1) or behind (1) this one.
function goBy(by) {
  if (!reader.execution) return;
  const { list, step } = reader;
  const at = positionOf(step);
  if (by > 0) goTo(list[Math.min(at + 1, list.length - 1)]);
  else goTo(list[Math.max(0, list[at] < step ? at : at - 1)]);
}

// The step before or behind this one that changes the chosen variable.
function goToChange(by) {
  if (!reader.execution || !reader.variable) return;
  const steps = reader.execution.changesOf(reader.variable);
  const next = by > 0 ? steps.find((s) => s > reader.step) : steps.findLast((s) => s < reader.step);
  if (next !== undefined) goTo(next);
}

function chooseVariable(name) {
  reader.variable = reader.variable === name ? null : name;
  moved("variable");
}
