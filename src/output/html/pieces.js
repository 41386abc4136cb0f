// SPDX-License-Identifier: MIT
/**
 * What each thread did when: pieces of time, each in one state, with the function that a user would
 * name and what it waited for. Times are ns since the first sample of the thread's snapshot.
 */

/** States of pieces, in the order of enum timeline_state (src/threads/timeline.h). */
export const PIECE_STATES =
    ['running', 'ready', 'lock', 'threads', 'io', 'sleeping', 'blocked', 'stopped', 'unknown'];
const STATE_COUNT = PIECE_STATES.length;

/** States of those that could run: one had a CPU. */
const RUNNING_STATE = 0;
const READY_STATE = 1;

/** The state of a thread that waits for a lock: what others have is lost time. */
export const LOCK_STATE = 2;

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
 * @property {boolean} [allTime]  it is all of the time: what the page's writer has summed up holds
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
    this.untold = payload.column('piece.untold');
    this.wholeStates = payload.column('thread.state_ns');
    for (let thread = 0, at = 0; thread < this.threadCount; thread++) {
      let time = 0;
      for (const last = at + (counts[thread] ?? 0); at < last; at++) {
        this.begin[at] = (time += gap[at]) * unit;
        this.end[at] = (time += length[at]) * unit;
      }
      this.start[thread + 1] = at;
    }
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

  /**
   * Calls `visit(piece, ns)` for the pieces of a thread between two times; those of one moment have
   * 0 ns.
   */
  each(thread, from, to, visit) {
    for (let piece = this.after(thread, from); piece < this.start[thread + 1]; piece++) {
      if (this.begin[piece] > to) break;
      const ns = this.within(piece, from, to);
      if (ns > 0 || this.begin[piece] === this.end[piece]) visit(piece, ns);
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

  /** What `ns` of a piece have of an amount of all of it, in units, as if it were even. */
  shareOf(units, piece, ns) {
    return Math.min(ns, (units * this.unit * ns) / (this.end[piece] - this.begin[piece]));
  }

  /**
   * Calls `add(state, ns)` for what a thread did in `ns` of a piece, as timeline_add_states has it:
   * it ran as long as it used a CPU, and was ready for the rest of what is running, but for that of
   * which nothing tells.
   */
  divide(piece, ns, add) {
    const state = this.state[piece];
    if (!this.cpu || !ns) {
      add(state, ns);
      return;
    }
    const cpu = this.shareOf(this.cpu[piece], piece, ns);
    const untold = Math.min(ns - cpu, this.shareOf(this.untold?.[piece] ?? 0, piece, ns));
    add(RUNNING_STATE, cpu);
    add(UNKNOWN_STATE, untold);
    add(state === RUNNING_STATE ? READY_STATE : state, ns - cpu - untold);
  }

  /** How long a thread waited in `ns` of a piece in which it was found waiting. */
  waitedWithin(piece, ns) {
    return this.cpu && ns ? ns - this.shareOf(this.cpu[piece], piece, ns) : ns;
  }

  /** ns by thread and state: that of state s of thread t is `[t * PIECE_STATES.length + s]`. */
  sumThreads(selection) {
    const sums = new Float64Array(this.threadCount * STATE_COUNT);
    const {threads, states} = selection;
    if (selection.allTime && this.wholeStates)
      return sums.map(
          (_, i) => states[i % STATE_COUNT] && (threads?.[Math.floor(i / STATE_COUNT)] ?? 1) ?
              this.wholeStates[i] :
              0);
    this.eachOf({...selection, states: pieceStates('all')}, (piece, ns, thread) => {
      this.divide(piece, ns, (state, part) => {
        if (states[state]) sums[thread * STATE_COUNT + state] += part;
      });
    });
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
   * What a thread did within intervals that do not overlap: by state and text, longest first. Where
   * it ran while it was found waiting, nothing tells.
   */
  didWithin(thread, intervals) {
    const sums = new Map();
    for (const [from, to] of intervals)
      this.each(thread, from, to, (piece, ns) => this.divide(piece, ns, (state, part) => {
        const isOther = state < PIECE_WAITS && this.state[piece] >= PIECE_WAITS;
        const text = isOther || state === UNKNOWN_STATE ? 0 : this.text[piece];
        const key = text * STATE_COUNT + state;
        const sum = sums.get(key) ?? {state, text, ns: 0};
        sum.ns += part;
        sums.set(key, sum);
      }));
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
