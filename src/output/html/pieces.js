// SPDX-License-Identifier: MIT
/**
 * What each thread did when: pieces of time, each in one state, with the function that a user would
 * name and what it waited for. Times are ns since the first sample of the thread's snapshot.
 */

/** States of pieces, in the order of enum timeline_state (src/threads/timeline.h). */
export const PIECE_STATES =
    ['running', 'ready', 'lock', 'threads', 'io', 'sleeping', 'blocked', 'stopped', 'unknown'];
const STATE_COUNT = PIECE_STATES.length;

/** States of those that could run: 0 ran, the other had no CPU. */
const READY_STATE = 1;

/** The first of the states in which a thread could not. */
export const PIECE_WAITS = 2;

/** The state of a thread that was there, and not sampled. */
export const UNKNOWN_STATE = 8;

/** Which states of pieces a choice of states ('all', 'run', 'wait') stands for. */
export function pieceStates(choice) {
  return Uint8Array.from(PIECE_STATES, (_, state) => {
    if (choice === 'all') return 1;
    return Number(choice === 'run' ? state < 2 : state >= 2 && state !== UNKNOWN_STATE);
  });
}

/**
 * @typedef {object} PieceSelection
 * @property {Uint8Array|null} threads  by thread 1: chosen; null: all
 * @property {number} from  ns @property {number} to  ns, the end excluded
 * @property {Uint8Array} states  by state 1: chosen
 */

export class Pieces {
  /** @param {import('./data.js').Payload} payload */
  constructor(payload) {
    const {head} = payload;
    /** @returns {any} */
    const column = (name) => payload.column(name) ?? [];
    const counts = column('thread.pieces');
    const unit = head.piece_unit_ns ?? 1;
    const gap = column('piece.gap');
    const length = column('piece.length');
    this.unit = unit;
    this.threadCount = head.threads.length;
    this.count = gap.length;
    this.start = new Uint32Array(this.threadCount + 1);
    this.begin = new Float64Array(this.count);
    this.end = new Float64Array(this.count);
    this.state = column('piece.state');
    this.text = column('piece.text');
    this.wait = column('piece.wait');
    this.onwards = payload.column('piece.goes_on');
    this.cpu = payload.column('piece.cpu');  // in `unit`; null: pieces ran as they were found
    this.begins = null;                      // orders, once they are asked for
    this.ends = null;
    for (let thread = 0, at = 0; thread < this.threadCount; thread++) {
      let time = 0;
      for (const last = at + (counts[thread] ?? 0); at < last; at++) {
        this.begin[at] = (time += gap[at]) * unit;
        this.end[at] = (time += length[at]) * unit;
      }
      this.start[thread + 1] = at;
    }
  }

  /** All pieces by when they begin; those that begin together in their own order. */
  byBegin() {
    return (this.begins ??= orderOf(this.begin, this.unit));
  }

  byEnd() {
    return (this.ends ??= orderOf(this.end, this.unit));
  }

  /** The first piece of a thread that ends after a time; perhaps the one behind its last. */
  after(thread, time) {
    let low = this.start[thread];
    let high = this.start[thread + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  /** The piece of a thread at a time, or -1. */
  at(thread, time) {
    const piece = this.after(thread, time);
    return piece < this.start[thread + 1] && this.begin[piece] <= time ? piece : -1;
  }

  /** Of which thread a piece is. */
  threadOf(piece) {
    let low = 0;
    let high = this.threadCount;
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if (this.start[middle] <= piece)
        low = middle;
      else
        high = middle;
    }
    return low;
  }

  /**
   * Has the thread not run since the piece before it? Where the page does not tell: is there
   * nothing between them?
   */
  goesOn(piece) {
    return this.end[piece - 1] === this.begin[piece] && (this.onwards?.[piece] ?? 1) > 0;
  }

  /** How much of a piece lies between two times. */
  within(piece, from, to) {
    return Math.min(this.end[piece], to) - Math.max(this.begin[piece], from);
  }

  /** Calls `visit(piece, ns)` for the pieces of a thread between two times. */
  each(thread, from, to, visit) {
    for (let piece = this.after(thread, from); piece < this.start[thread + 1]; piece++) {
      if (this.begin[piece] >= to) break;
      const ns = this.within(piece, from, to);
      if (ns > 0) visit(piece, ns);
    }
  }

  /** Calls `visit(piece, ns, thread)` for all pieces of a selection, thread by thread. */
  eachOf(selection, visit) {
    const {threads, from, to, states} = selection;
    for (let thread = 0; thread < this.threadCount; thread++)
      if (!threads || threads[thread])
        this.each(thread, from, to, (piece, ns) => {
          if (states[this.state[piece]]) visit(piece, ns, thread);
        });
  }

  /** CPU time used within `ns` of a piece, as if it used it evenly. */
  cpuWithin(piece, ns) {
    return (this.cpu[piece] * this.unit * ns) / (this.end[piece] - this.begin[piece]);
  }

  /**
   * ns by thread and state: that of state s of thread t is `[t * PIECE_STATES.length + s]`. How
   * much of what was running or ready ran, CPU time tells, as in src/threads/tally.c: pieces are
   * of the one that took most of them.
   */
  sumThreads(selection) {
    const sums = new Float64Array(this.threadCount * STATE_COUNT);
    const used = new Float64Array(this.threadCount);
    this.eachOf({...selection, states: pieceStates('all')}, (piece, ns, thread) => {
      if (selection.states[this.state[piece]]) sums[thread * STATE_COUNT + this.state[piece]] += ns;
      if (this.cpu) used[thread] += this.cpuWithin(piece, ns);
    });
    for (let thread = 0; this.cpu && thread < this.threadCount; thread++) {
      const at = thread * STATE_COUNT;
      const runnable = sums[at] + sums[at + READY_STATE];
      sums[at] = Math.min(runnable, used[thread]);
      sums[at + READY_STATE] = runnable - sums[at];
    }
    return sums;
  }

  /** ns by state. */
  sumStates(selection) {
    const sums = new Float64Array(STATE_COUNT);
    this.sumThreads(selection).forEach((ns, i) => {
      sums[i % STATE_COUNT] += ns;
    });
    return sums;
  }

  /**
   * What a thread did within intervals that do not overlap: by state and text, longest first. CPU
   * time divides what was running or ready as in sumThreads.
   */
  didWithin(thread, intervals) {
    const sums = new Map();
    const add = (state, text, ns) => {
      const key = text * STATE_COUNT + state;
      const sum = sums.get(key) ?? {state, text, ns: 0};
      sum.ns += ns;
      sums.set(key, sum);
    };
    let used = 0;  // CPU time that is not told of yet
    for (const [from, to] of intervals)
      this.each(thread, from, to, (piece, ns) => {
        const [state, text] = [this.state[piece], this.text[piece]];
        const cpu = this.cpu ? this.cpuWithin(piece, ns) : 0;
        if (!this.cpu || state > READY_STATE) {
          add(state, text, ns);
          used += cpu;
        } else {
          const ran = Math.min(ns, cpu);
          add(0, text, ran);
          add(READY_STATE, text, ns - ran);
          used += cpu - ran;
        }
      });
    if (used > 0) spendOn(sums, used, add);
    return [...sums.values()].filter(({ns}) => ns > 0).sort((a, b) => b.ns - a.ns);
  }

  /**
   * What each of `width` columns of a row between two times shows: how long each state lasted in
   * it, and the piece that took most of it, or -1.
   * @param {Float64Array} byState  is filled: that of column c and state s at `[c * states + s]`
   * @param {Int32Array} longest    is filled, by column
   */
  columns(thread, from, to, width, byState, longest) {
    byState.fill(0, 0, width * STATE_COUNT);
    longest.fill(-1, 0, width);
    const size = (to - from) / width;
    let most = 0;  // of the column at hand, the last that a piece reached
    let reached = -1;
    const last = this.start[thread + 1];
    for (let piece = this.after(thread, from); piece < last && this.begin[piece] < to; piece++) {
      const begin = Math.max(0, (this.begin[piece] - from) / size);
      const end = Math.min(width, (this.end[piece] - from) / size);
      const state = this.state[piece];
      for (let column = Math.min(Math.floor(begin), width - 1); column < end; column++) {
        const part = Math.min(end, column + 1) - Math.max(begin, column);
        byState[column * STATE_COUNT + state] += part * size;
        if (column > reached || part > most) {
          longest[column] = piece;
          most = part;
          reached = column;
        }
      }
    }
  }
}

/**
 * CPU time that was used where the thread was found waiting: it ran that long of what was ready,
 * wherever that was.
 */
function spendOn(sums, used, add) {
  const ready = [...sums.values()].filter(({state}) => state === READY_STATE);
  const all = ready.reduce((sum, {ns}) => sum + ns, 0);
  const share = all > 0 ? Math.min(1, used / all) : 0;
  for (const {text, ns} of ready) {
    add(0, text, ns * share);
    add(READY_STATE, text, -ns * share);
  }
}

/**
 * Indices by times that are multiples of `unit`: as numbers in one, which sort fast, if they fit.
 */
function orderOf(times, unit) {
  const count = times.length;
  const most = times.reduce((a, b) => Math.max(a, b), 0);
  if ((most / unit + 1) * count >= Number.MAX_SAFE_INTEGER)
    return Uint32Array.from(times.keys()).sort((a, b) => times[a] - times[b] || a - b);
  const keys = Float64Array.from(times, (time, i) => Math.round(time / unit) * count + i);
  return Uint32Array.from(keys.sort(), (key) => key % count);
}

/** Threads in the order of the hierarchy, and how deep in it each is. */
export function rowsOf(head) {
  const nodes = head.hierarchy ?? [];
  const depths = [];
  nodes.forEach((node, index) => {
    depths[index] = node.parent >= 0 && node.parent < index ? depths[node.parent] + 1 : 0;
  });
  return head.threads.map((thread, index) => ({thread: index, node: thread.node ?? nodes.length}))
      .sort((a, b) => a.node - b.node || a.thread - b.thread)
      .map((row) => ({...row, depth: depths[row.node] ?? 0}));
}
