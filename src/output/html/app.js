// SPDX-License-Identifier: MIT
/**
 * What all views share: the model, what is selected, and sums over it, which are made once for each
 * selection, when the first view asks.
 */
import {Model} from './model.js';
import {readHash, selectionOf, writeHash} from './state.js';
import {timeOf} from './time_axis.js';

/** Parts of the state on which sums depend; and those of the baseline. */
const SELECTS = ['weight', 'threads', 'span', 'states'];
const BASE_SELECTS = ['weight', 'states'];

export class App {
  /** @param {import('./data.js').Payload} payload */
  constructor(payload, hash) {
    this.model = new Model(payload);
    this.head = this.model.head;
    this.listeners = [];
    this.cache = new Map();
    this.searchError = '';
    this.state = readHash(hash, this.head);
    this.model.setDivided(this.state.divided);
    this.state = this.followDivision(this.state);
  }

  /** `listener(changed)` is called with the set of keys of the state that changed. */
  onChange(listener) {
    this.listeners.push(listener);
  }

  /** Changes parts of the state. @param {Partial<import('./state.js').State>} parts */
  set(parts) {
    const changed = new Set();
    for (const [key, value] of Object.entries(parts))
      if (JSON.stringify(this.state[key]) !== JSON.stringify(value)) changed.add(key);
    if (!changed.size) return;
    const before = this.state;
    this.state = {...before, ...parts};
    this.forget(changed);
    this.model.setDivided(this.state.divided);
    this.state = this.followDivision(this.state);
    for (const key of ['func', 'zoom'])
      if (JSON.stringify(this.state[key]) !== JSON.stringify(before[key])) changed.add(key);
    for (const listener of this.listeners) listener(changed);
  }

  /**
   * Functions of a state that are there: wholes where nothing is divided, else parts, of which the
   * heaviest stands for a whole.
   */
  followDivision(state) {
    const {division} = this.model;
    if (!division.exists()) return state;
    const {func, zoom} = state;
    if (!state.divided)
      return {
        ...state,
        func: func === null ? null : division.wholeOf(func),
        zoom: zoom.map((of) => division.wholeOf(of))
      };
    const end = zoom.findIndex((of) => !division.isOwn(of));
    return {
      ...state,
      func: func === null || division.isOwn(func) ? func : this.heaviestPart(func),
      zoom: end < 0 ? zoom : zoom.slice(0, end)
    };
  }

  heaviestPart(func) {
    const {functionTotal} = this.shownSums();
    return this.model.division.partsOf(func).reduce(
        (best, part) => (functionTotal[part] > functionTotal[best] ? part : best));
  }

  /** Drops what was made of parts of the state that changed. */
  forget(changed) {
    const has = (key) => changed.has(key);
    if (has('divided')) this.cache.clear();
    for (const key of [...this.cache.keys()])
      if (key === 'matches'  ? has('search') :
              key === 'base' ? BASE_SELECTS.some(has) :
                               SELECTS.some(has))
        this.cache.delete(key);
  }

  /** Takes all from a URL's hash. */
  setHash(hash) {
    this.set(readHash(hash, this.head));
  }

  hash() {
    return writeHash(this.state, this.head);
  }

  cached(key, make) {
    if (!this.cache.has(key)) this.cache.set(key, make());
    return this.cache.get(key);
  }

  selection() {
    return this.cached('selection', () => selectionOf(this.state, this.head));
  }

  /** @returns {import('./model.js').Sums} of the selection */
  sums() {
    return this.cached('sums', () => this.model.sums(this.selection()));
  }

  /** @returns {import('./model.js').Sums|null} of the baseline: weight and states count there */
  baseSums() {
    return this.cached('base', () => this.model.baseSums(this.selection()));
  }

  /** The sums of the side that is looked at: now, or the baseline. */
  shownSums() {
    return (this.state.side === 'base' && this.baseSums()) || this.sums();
  }

  /** By function 1: the search matches its name or its module's path; null: nothing is searched. */
  matches() {
    return this.cached('matches', () => this.findMatches());
  }

  findMatches() {
    this.searchError = '';
    if (!this.state.search) return null;
    let expression;
    try {
      expression = new RegExp(this.state.search, 'iu');
    } catch (error) {
      this.searchError = error.message;
      return null;
    }
    const {model} = this;
    return Uint8Array.from(
        {length: model.functionCount},
        (_, func) => Number(
            expression.test(model.functionLabel(func)) ||
            expression.test(model.moduleOf(func)?.path ?? '')));
  }

  /**
   * Where CPU time is looked at, by function 1: it mostly waits, and its CPU time is that of going
   * to sleep and waking up. @returns {Uint8Array}
   */
  sleepers() {
    return this.cached('sleepers', () => this.findSleepers());
  }

  findSleepers() {
    const {model, head} = this;
    const sleeps = new Uint8Array(model.functionCount);
    if (this.state.weight !== 'cpu' || !head.weights.includes('samples')) return sleeps;
    const selection = {...this.selection(), weight: 'samples', states: null};
    const states =
        Uint8Array.from((head.states ?? []).map((known) => Number(known.runs === false)));
    const all = model.weighInnermost(selection);
    const waiting = model.weighInnermost({...selection, states});
    for (let func = 0; func < sleeps.length; func++)
      sleeps[func] = Number(all[func] > 0 && 2 * waiting[func] >= all[func]);
    return sleeps;
  }

  /** How much of the selection has a function that the search matches; each sample once. */
  matchedWeight() {
    const matches = this.matches();
    if (!matches) return 0;
    const {trie, functionOf} = this.model;
    const {total} = this.shownSums();
    const inside = new Uint8Array(trie.count);
    let sum = 0;
    for (let node = 1; node < trie.count; node++) {
      const above = inside[trie.parent[node]];
      inside[node] = above | matches[functionOf[node]];
      if (inside[node] && !above) sum += total[node];
    }
    return sum;
  }

  /** Nothing but the view, the weight and the colours stays as it is. */
  clear() {
    this.set({
      threads: null,
      span: null,
      states: 'all',
      func: null,
      search: '',
      module: null,
      object: null,
      zoom: []
    });
  }

  /** When a bucket begins, in ns since the first sample. */
  bucketStart(bucket) {
    return this.head.time ? timeOf(this.head.time, bucket) : 0;
  }
}
