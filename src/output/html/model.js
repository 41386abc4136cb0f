// SPDX-License-Identifier: MIT
/**
 * What a page knows, and sums of it over a selection. No number is made here but sums of what the
 * payload says (docs/formats/page.md).
 *
 * The trie has a node for each distinct way to a step of a chain: a function, its line and how its
 * frame was found. Nodes are in depth-first order, parents before children, node 0 is the root.
 */

import {basisPoints} from './amounts.js';
import {Division} from './division.js';

/**
 * @typedef {object} Entries what was sampled, summed by thread, time, chain and state
 * @property {number} count
 * @property {Uint32Array} start   those of thread t: from start[t] up to start[t + 1]
 * @property {Uint32Array} thread
 * @property {Uint32Array} bucket  of time; all 0 where there are no times
 * @property {Uint32Array} chain
 * @property {Uint8Array} state    index into head.states
 * @property {Record<string, Float64Array>} weight  by kind: samples, calls, or ns
 */

/** What a page without an entry of the payload has in its place. */
function zeros(count) {
  return new Uint32Array(count);
}

/** The columns of entries `entry.…` or `base.…`. */
function readEntries(payload, prefix, unitNs) {
  const column = (name) => payload.column(`${prefix}.${name}`);
  const chain = column('chain') ?? new Uint32Array(0);
  const count = chain.length;
  const plain = {};
  for (const kind of payload.head.weights) plain[kind] = column(kind);
  const {wall, cpu} = plain;
  const weight = {};
  for (const kind of payload.head.weights) {
    if (!plain[kind]) continue;
    const scale = kind === 'samples' || kind === 'calls' ? 1 : unitNs;
    const values = new Float64Array(plain[kind]);
    if (kind === 'offcpu' && wall)
      for (let i = 0; i < count; i++) values[i] += Math.max(0, wall[i] - (cpu ? cpu[i] : 0));
    if (scale !== 1)
      for (let i = 0; i < count; i++) values[i] *= scale;
    weight[kind] = values;
  }
  return {
    count,
    start: Uint32Array.of(0, count),
    thread: zeros(count),
    bucket: zeros(count),
    chain,
    state: column('state') ?? new Uint8Array(count),
    weight
  };
}

/** Gives entries their threads and times, which the payload has as runs and differences. */
function placeEntries(entries, perThread, differences) {
  let at = 0;
  entries.start = new Uint32Array(perThread.length + 1);
  for (let thread = 0; thread < perThread.length; thread++) {
    let bucket = 0;
    entries.start[thread + 1] = at + perThread[thread];
    for (const end = at + perThread[thread]; at < end; at++) {
      entries.thread[at] = thread;
      if (differences) entries.bucket[at] = bucket += differences[at];
    }
  }
}

/** Parents, from how far up each node is from the one before it. */
function readTrie(payload) {
  const up = payload.column('trie.up');
  const frameOf = payload.column('trie.frame');
  const count = up.length + 1;
  const parent = new Int32Array(count);
  const frame = new Int32Array(count);
  const depth = new Int32Array(count);
  const path = [0];
  parent[0] = frame[0] = -1;
  for (let node = 1; node < count; node++) {
    depth[node] = depth[node - 1] + 1 - up[node - 1];
    path[depth[node]] = node;
    parent[node] = path[depth[node] - 1];
    frame[node] = frameOf[node - 1];
  }
  return {count, parent, frame, depth};
}

/**
 * For each node of the trie the next one outwards on its path that is of the same function, or -1:
 * a function's total counts each path once, where it is outermost.
 */
function findOuterSame(trie, functionOf, functionCount) {
  const same = new Int32Array(trie.count).fill(-1);
  const last = new Int32Array(functionCount).fill(-1);
  const path = new Int32Array(trie.count);
  let length = 0;
  for (let node = 1; node < trie.count; node++) {
    while (length >= trie.depth[node]) {
      const left = path[--length];
      last[functionOf[left]] = same[left];
    }
    same[node] = last[functionOf[node]];
    last[functionOf[node]] = node;
    path[length++] = node;
  }
  return same;
}

/** A map from pairs of numbers to numbers, in one table: a million are a matter of milliseconds. */
class PairTable {
  constructor(count) {
    let size = 16;
    while (size < count * 2) size *= 2;
    this.mask = size - 1;
    this.a = new Int32Array(size).fill(-1);
    this.b = new Int32Array(size);
    this.value = new Int32Array(size);
  }

  /** The slot of a pair, taken by it from now on; its value is -1 when it is new. */
  slot(a, b) {
    let at = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & this.mask;
    while (this.a[at] !== -1 && (this.a[at] !== a || this.b[at] !== b)) at = (at + 1) & this.mask;
    if (this.a[at] === -1) {
      this.a[at] = a;
      this.b[at] = b;
      this.value[at] = -1;
    }
    return at;
  }
}

/**
 * The trie by functions alone, as a flame graph has it: `of` leads from a node of the trie to one
 * of it. Parents precede children; 0 is the root.
 */
function foldTrie(trie, functionOf) {
  const table = new PairTable(trie.count);
  const of = new Int32Array(trie.count);
  const parent = new Int32Array(trie.count);
  const func = new Int32Array(trie.count);
  let count = 1;
  parent[0] = func[0] = -1;
  for (let node = 1; node < trie.count; node++) {
    const above = of[trie.parent[node]];
    const slot = table.slot(above, functionOf[node]);
    if (table.value[slot] === -1) {
      table.value[slot] = count;
      parent[count] = above;
      func[count] = functionOf[node];
      count++;
    }
    of[node] = table.value[slot];
  }
  return {count, parent: parent.subarray(0, count), func: func.subarray(0, count), of};
}

/** Lists of members by group: those of group g are `list[start[g]]` up to `list[start[g + 1]]`. */
export function groupBy(groupOf, from, groupCount) {
  const start = new Uint32Array(groupCount + 1);
  for (let i = from; i < groupOf.length; i++) start[groupOf[i] + 1]++;
  for (let group = 0; group < groupCount; group++) start[group + 1] += start[group];
  const list = new Uint32Array(start[groupCount]);
  const next = start.slice();
  for (let i = from; i < groupOf.length; i++) list[next[groupOf[i]]++] = i;
  return {start, list};
}

/**
 * @typedef {object} Selection
 * @property {string} weight             one of head.weights
 * @property {Uint8Array|null} threads   by thread 1: chosen; null: all
 * @property {number} first              the first bucket of time
 * @property {number} end                the one behind the last; Infinity: to the end
 * @property {Uint8Array|null} states    by state 1: chosen; null: all
 */

/**
 * @typedef {object} Sums of one kind of weight over a selection
 * @property {Float64Array} self            by node of the trie: of chains that end there
 * @property {Float64Array} total           by node of the trie: of chains that go through it
 * @property {Float64Array} functionSelf    by function
 * @property {Float64Array} functionTotal   by function: of the samples that it is in
 * @property {Float64Array} byStop          by stop reason
 * @property {number} sum                   of the selection
 */

/** Sums from weights by chain. */
function sumChains(model, byChain) {
  const {trie, functionOf, outerSame} = model;
  const self = new Float64Array(trie.count);
  const functionSelf = new Float64Array(model.functionCount);
  const functionTotal = new Float64Array(model.functionCount);
  const byStop = new Float64Array(model.head.stops.length);
  for (let chain = 0; chain < byChain.length; chain++) {
    self[model.chainLeaf[chain]] += byChain[chain];
    byStop[model.chainStop[chain]] += byChain[chain];
  }
  const total = self.slice();
  for (let node = trie.count - 1; node > 0; node--) {
    total[trie.parent[node]] += total[node];
    functionSelf[functionOf[node]] += self[node];
    if (outerSame[node] < 0) functionTotal[functionOf[node]] += total[node];
  }
  return {self, total, functionSelf, functionTotal, byStop, sum: total[0], carriers: 0};
}

export class Model {
  /** @param {import('./data.js').Payload} payload */
  constructor(payload) {
    const {head} = payload;
    this.payload = payload;
    this.head = head;
    this.functionCount = head.functions.name.length;
    const func = payload.column('frame.function');
    this.frames = {
      func,
      file: payload.column('frame.file'),
      line: payload.column('frame.line'),
      trust: payload.column('frame.trust'),
      flags: payload.column('frame.flags'),
    };
    this.trie = readTrie(payload);
    this.division = new Division(head, func);
    this.placeFunctions();
    this.chainLeaf = payload.column('chain.leaf');
    this.chainStop = payload.column('chain.stop');
    this.entries = readEntries(payload, 'entry', head.unit_ns);
    placeEntries(
        this.entries, payload.column('thread.entries') ?? [this.entries.count],
        payload.column('entry.bucket'));
    this.base = head.columns?.['base.chain'] ? readEntries(payload, 'base', head.unit_ns) : null;
    this.buckets = head.time?.buckets ?? 1;
    this.children = null;
  }

  /** Which function each node of the trie is of, and what follows from it. */
  placeFunctions() {
    const {trie, frames} = this;
    this.functionOf = new Int32Array(trie.count).fill(-1);
    for (let node = 1; node < trie.count; node++)
      this.functionOf[node] = frames.func[trie.frame[node]];
    this.outerSame = findOuterSame(trie, this.functionOf, this.functionCount);
    this.fold = foldTrie(trie, this.functionOf);
    this.byFunction = null;
    this.foldBelow = this.foldOf = null;
  }

  /** Has functions that values divide in their parts, or whole; sums made before are no more. */
  setDivided(divided) {
    if (!this.division.set(divided)) return;
    this.frames.func = this.division.frameFunctions();
    this.placeFunctions();
  }

  functionName(func) {
    return this.head.functions.name[func];
  }

  /** The name, and where two functions of a module share it what tells them apart. */
  functionLabel(func) {
    return this.head.functions.label?.[func] ?? this.head.functions.name[func];
  }

  /** Of the function's module. */
  moduleOf(func) {
    return this.head.modules[this.head.functions.module[func]];
  }

  /** "file.c:12" of a frame, or "" where it is not known. */
  place(frame) {
    const file = this.frames.file[frame];
    if (!file) return '';
    const line = this.frames.line[frame];
    return this.head.files[file - 1] + (line ? `:${line}` : '');
  }

  /** Trie nodes of a function, in the order of the trie. */
  nodesOf(func) {
    this.byFunction ??= groupBy(this.functionOf, 1, this.functionCount);
    const {start, list} = this.byFunction;
    return list.subarray(start[func], start[func + 1]);
  }

  /** By node of the fold, the nodes below it. */
  foldChildren() {
    this.foldBelow ??= groupBy(this.fold.parent, 1, this.fold.count);
    return this.foldBelow;
  }

  /** By node of the fold, the nodes of the trie that it stands for. */
  foldMembers() {
    this.foldOf ??= groupBy(this.fold.of, 1, this.fold.count);
    return this.foldOf;
  }

  /** @param {Selection} selection @returns {Float64Array} weights by chain */
  weighChains(selection) {
    const {start, bucket, chain, state, weight} = this.entries;
    const values = weight[selection.weight];
    const byChain = new Float64Array(this.chainLeaf.length);
    const {threads, states, first, end} = selection;
    if (!values) return byChain;
    for (let thread = 0; thread + 1 < start.length; thread++) {
      if (threads && !threads[thread]) continue;
      for (let i = start[thread]; i < start[thread + 1]; i++) {
        if (bucket[i] < first || bucket[i] >= end) continue;
        if (states && !states[state[i]]) continue;
        byChain[chain[i]] += values[i];
      }
    }
    return byChain;
  }

  /** @param {Selection} selection @returns {Float64Array} by function: where chains end */
  weighInnermost(selection) {
    const byFunction = new Float64Array(this.functionCount);
    this.weighChains(selection).forEach((weight, chain) => {
      if (this.chainLeaf[chain] > 0) byFunction[this.functionOf[this.chainLeaf[chain]]] += weight;
    });
    return byFunction;
  }

  /** @param {Selection} selection @returns {Float64Array} weights by thread */
  weighThreads(selection) {
    const {start, bucket, state, weight} = this.entries;
    const values = weight[selection.weight];
    const byThread = new Float64Array(start.length - 1);
    const {threads, states, first, end} = selection;
    if (!values) return byThread;
    for (let thread = 0; thread < byThread.length; thread++) {
      if (threads && !threads[thread]) continue;
      for (let i = start[thread]; i < start[thread + 1]; i++) {
        if (bucket[i] < first || bucket[i] >= end) continue;
        if (states && !states[state[i]]) continue;
        byThread[thread] += values[i];
      }
    }
    return byThread;
  }

  /** @param {Selection} selection @returns {Sums} */
  sums(selection) {
    const {totals, carriers} = this.head;
    return this.withCarriers(
        sumChains(this, this.weighChains(selection)), selection, totals, carriers);
  }

  /** Of a part of all, as many samples as its part of the weight is. @param {Sums} sums */
  withCarriers(sums, {weight}, totals, carriers) {
    const all = totals?.[weight] ?? 0;
    sums.carriers = weight === 'samples' ? sums.sum :
        all > 0                          ? (carriers?.[weight] ?? 0) * (sums.sum / all) :
                                           0;
    return sums;
  }

  /** The same of the baseline, which has neither threads nor times. @returns {Sums|null} */
  baseSums(selection) {
    if (!this.base) return null;
    const byChain = new Float64Array(this.chainLeaf.length);
    const values = this.base.weight[selection.weight];
    for (let i = 0; values && i < this.base.count; i++)
      if (!selection.states || selection.states[this.base.state[i]])
        byChain[this.base.chain[i]] += values[i];
    const {base_totals: totals, base_carriers: carriers} = this.head;
    return this.withCarriers(sumChains(this, byChain), selection, totals, carriers);
  }

  /**
   * Who called a function and whom it called: weights of the samples in which they did, each
   * counted once. @param {Sums} sums
   * @returns {{callers: Map<number, number>, callees: Map<number, number>, first: number}} by
   *   function; `first`: where nobody called it
   */
  neighbours(func, sums) {
    const callers = new Map();
    const callees = new Map();
    let first = 0;
    for (const node of this.nodesOf(func)) {
      const parent = this.trie.parent[node];
      if (parent === 0)
        first += sums.total[node];
      else if (!this.isPairOutside(node, this.functionOf[parent]))
        add(callers, this.functionOf[parent], sums.total[node]);
    }
    this.children ??= groupBy(this.trie.parent, 1, this.trie.count);
    const {start, list} = this.children;
    for (const node of this.nodesOf(func))
      for (let i = start[node]; i < start[node + 1]; i++) {
        const child = list[i];
        if (!this.isPairOutside(child, func))
          add(callees, this.functionOf[child], sums.total[child]);
      }
    return {callers, callees, first};
  }

  /** Does the path to a node have the call of its function by `caller` once more, further out? */
  isPairOutside(node, caller) {
    for (let outer = this.outerSame[node]; outer > 0; outer = this.outerSame[outer]) {
      const parent = this.trie.parent[outer];
      if (parent > 0 && this.functionOf[parent] === caller) return true;
    }
    return false;
  }

  /**
   * Lines of a function by weight: where its chains end, and where it calls.
   * @returns {{place: string, self: number, total: number}[]} heaviest total first
   */
  linesOf(func, sums) {
    const lines = new Map();
    for (const node of this.nodesOf(func)) {
      const place = this.place(this.trie.frame[node]);
      if (!lines.has(place)) lines.set(place, {place, self: 0, total: 0});
      const line = lines.get(place);
      line.self += sums.self[node];
      if (!this.isLineOutside(node, place)) line.total += sums.total[node];
    }
    return [...lines.values()].filter((line) => line.total > 0).sort((a, b) => b.total - a.total);
  }

  isLineOutside(node, place) {
    for (let outer = this.outerSame[node]; outer > 0; outer = this.outerSame[outer])
      if (this.place(this.trie.frame[outer]) === place) return true;
    return false;
  }
}

function add(map, key, value) {
  if (value > 0) map.set(key, (map.get(key) ?? 0) + value);
}

/**
 * @typedef {object} Side of a comparison
 * @property {number} sum       what shares are of
 * @property {number} carriers  how many samples that is made of; 0: not known
 */

/**
 * How a share changed: in hundredths of percentage points, and whether two captures of one program
 * may differ by as much, as view_is_noise in src/graph/view.c has it.
 * @param {Side} now @param {Side} before
 */
export function changeOf(value, now, base, before) {
  const points = basisPoints(value, now.sum) - basisPoints(base, before.sum);
  const [n, m] = [now.carriers, before.carriers];
  if (!points || !(n > 0) || !(m > 0)) return {points, noise: false};
  const change = value / now.sum - base / before.sum;
  const share = ((value / now.sum) * n + (base / before.sum) * m) / (n + m);
  return {points, noise: change * change <= 4 * share * (1 - share) * (1 / n + 1 / m)};
}
