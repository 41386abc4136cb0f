// SPDX-License-Identifier: MIT
/**
 * What variables of frames were, by thread, time and chain: docs/formats/page.md, "Variables".
 * Knows no DOM.
 *
 * @typedef {object} Variable
 * @property {string} name
 * @property {string} type   '': not known
 * @property {string} text   its value, or why there is none
 * @property {string} state  'known', 'partial', or how it is not known
 * @property {boolean} local no parameter
 */

/** Sums of counts, from 0 on: where each one's elements begin. */
function startsOf(counts) {
  const start = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) start[i + 1] = start[i] + counts[i];
  return start;
}

export class Values {
  /** @param {import('./data.js').Payload} payload one that has values */
  constructor(payload) {
    const column = (name) => payload.column(name);
    this.texts = payload.head.values.texts;
    this.states = payload.head.values.states;
    this.value = {
      name: column('value.name'),
      type: column('value.type'),
      text: column('value.text'),
      state: column('value.state'),
      local: column('value.local')
    };
    this.listStart = startsOf(column('list.size'));
    this.listValue = column('list.value');
    const outside = column('moment.outside');
    this.outside = new Uint32Array(outside.length + 1);
    for (let i = 1; i <= outside.length; i++) this.outside[i] = i - outside[i - 1];
    this.list = new Uint32Array(outside.length + 1);
    this.list.set(column('moment.list'), 1);
    this.readRuns(column);
  }

  readRuns(column) {
    const from = column('run.from');
    const more = column('run.more');
    this.start = startsOf(column('thread.runs'));  // by thread
    this.chain = column('run.chain');
    this.moment = column('run.moment');
    this.count = from.length;
    this.thread = new Uint32Array(this.count);
    this.first = new Uint32Array(this.count);  // buckets, the last included
    this.last = new Uint32Array(this.count);
    for (let thread = 0; thread + 1 < this.start.length; thread++) {
      let bucket = 0;
      for (let run = this.start[thread]; run < this.start[thread + 1]; run++) {
        bucket += from[run];
        this.thread[run] = thread;
        this.first[run] = bucket;
        this.last[run] = bucket + more[run];
      }
    }
    this.sorted = null;
  }

  /** Runs in the order of threads, then chains, then time. */
  order() {
    this.sorted ??= Uint32Array.from({length: this.count}, (_, run) => run)
                        .sort(
                            (a, b) => this.thread[a] - this.thread[b] ||
                                this.chain[a] - this.chain[b] || this.first[a] - this.first[b]);
    return this.sorted;
  }

  /** The run of a thread that has this chain in a bucket; -1: there is none. */
  runOf(thread, bucket, chain) {
    const order = this.order();
    let low = 0;
    for (let high = order.length; low < high;) {
      const middle = (low + high) >>> 1;
      const run = order[middle];
      const after =
          this.thread[run] - thread || this.chain[run] - chain || this.first[run] - bucket;
      if (after > 0)
        high = middle;
      else
        low = middle + 1;
    }
    if (low === 0) return -1;
    const run = order[low - 1];
    const has =
        this.thread[run] === thread && this.chain[run] === chain && this.last[run] >= bucket;
    return has ? run : -1;
  }

  /** Runs of a thread from a bucket up to another, that included, in the order of time. */
  runsWithin(thread, first, last) {
    const runs = [];
    for (let run = this.start[thread]; run < this.start[thread + 1]; run++)
      if (this.first[run] <= last && this.last[run] >= first) runs.push(run);
    return runs;
  }

  /** Of runs in the order of time, the last that began until a bucket, or the first, if any. */
  nearest(runs, bucket) {
    const before = runs.filter((run) => this.first[run] <= bucket);
    return before.length ? before.slice(-1) : runs.slice(0, 1);
  }

  /** @returns {Variable[]} of a list */
  variablesOf(list) {
    const {value, texts, states} = this;
    return Array.from(
        this.listValue.subarray(this.listStart[list], this.listStart[list + 1]),
        (id) => ({
          name: texts[value.name[id]],
          type: texts[value.type[id]],
          text: texts[value.text[id]],
          state: states[value.state[id]],
          local: value.local[id] === 1
        }));
  }

  /**
   * The frames of a run's chain, innermost first.
   * @param {import('./model.js').Model} model
   * @returns {{func: number, frame: number, variables: Variable[]}[]}
   */
  framesOf(model, run) {
    const {trie, functionOf, chainLeaf} = model;
    const frames = [];
    let moment = this.moment[run];
    for (let node = chainLeaf[this.chain[run]]; node > 0; node = trie.parent[node]) {
      frames.push({
        func: functionOf[node],
        frame: trie.frame[node],
        variables: this.variablesOf(this.list[moment])
      });
      moment = this.outside[moment];
    }
    return frames;
  }
}

/** The list of a function in a run: of its innermost frame; -1: it is not in the chain. */
function listIn(values, model, func, run) {
  let moment = values.moment[run];
  for (let node = model.chainLeaf[values.chain[run]]; node > 0; node = model.trie.parent[node]) {
    if (model.functionOf[node] === func) return values.list[moment];
    moment = values.outside[moment];
  }
  return -1;
}

/**
 * Which values the variables of a function had, by the weight of a selection: each entry counts for
 * what is told of its first sample.
 * @param {Values} values @param {import('./model.js').Model} model
 * @param {import('./model.js').Selection} selection @param {Uint8Array} chains by chain 1: with it
 * @returns {{told: number, variables: {name: string, values: {text: string, state: string,
 *   weight: number}[]}[]}} `told`: how much of the weight something is told of; values heaviest
 *   first
 */
export function weighValues(values, model, func, selection, chains) {
  const {count, thread, bucket, chain, state, weight} = model.entries;
  const kind = weight[selection.weight];
  const {threads, states, first, end} = selection;
  const byList = new Map();
  for (let i = 0; kind && i < count; i++) {
    if (!chains[chain[i]] || !(kind[i] > 0) || bucket[i] < first || bucket[i] >= end) continue;
    if (threads && !threads[thread[i]]) continue;
    if (states && !states[state[i]]) continue;
    const run = values.runOf(thread[i], bucket[i], chain[i]);
    const list = run < 0 ? -1 : listIn(values, model, func, run);
    if (list >= 0) byList.set(list, (byList.get(list) ?? 0) + kind[i]);
  }
  return {
    told: [...byList.values()].reduce((sum, one) => sum + one, 0),
    ...sumLists(values, byList)
  };
}

function sumLists(values, byList) {
  const names = new Map();
  for (const [list, weight] of byList) {
    const seen = new Set();  // of several of one name the first is the innermost
    for (const {name, text, state} of values.variablesOf(list)) {
      if (seen.has(name)) continue;
      seen.add(name);
      if (!names.has(name)) names.set(name, new Map());
      const texts = names.get(name);
      const known = texts.get(text) ?? {text, state, weight: 0};
      known.weight += weight;
      texts.set(text, known);
    }
  }
  const heaviest = (a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1);
  return {
    variables:
        [...names].map(([name, texts]) => ({name, values: [...texts.values()].sort(heaviest)}))
  };
}
