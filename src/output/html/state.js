// SPDX-License-Identifier: MIT
/**
 * What is looked at and selected, and its text in the URL's hash: a link shows what its sender saw.
 *
 * @typedef {object} State
 * @property {string} view        'overview', 'flame', …
 * @property {string} weight      one of head.weights
 * @property {number[]|null} threads  indices into head.threads; null: all
 * @property {[number, number]|null} span  buckets of time, the end excluded; null: all
 * @property {string} states      'all', 'run' (on a CPU or ready) or 'wait'
 * @property {number|null} func   the selected function
 * @property {string} search      a regular expression, or ''
 * @property {number|null} module  table: of this module only; null: of all
 * @property {boolean} invert     flame graph: callees at the root
 * @property {string} rows        flame graph: 'merged' or 'threads' (a row for each kind of thread)
 * @property {string} colour      flame graph: 'module', 'trust' or 'change'
 * @property {string} side        'now' or 'base'
 * @property {number[]} zoom      functions from the root to the frame that fills the width
 * @property {number|null} object  waits: what is waited for, as waits_model.js numbers it
 * @property {number|null} at     waits: the moment of which is told who holds it, in ns
 * @property {boolean} divided    functions that values divide are shown in their parts
 * @property {string} sort        table: a column, '-' before it: ascending
 */

/** What a state is when nothing was chosen. */
export function initialState(head) {
  return {
    view: 'overview',
    weight: head.weight,
    threads: null,
    span: null,
    states: 'all',
    func: null,
    search: '',
    module: null,
    invert: false,
    rows: 'merged',
    colour: head.base_totals ? 'change' : 'module',
    side: 'now',
    zoom: [],
    object: null,
    at: null,
    divided: true,
    sort: 'self',
  };
}

/** "0-3.7.9-12" */
function rangesText(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts = [];
  for (let i = 0; i < sorted.length; i++) {
    const start = sorted[i];
    while (i + 1 < sorted.length && sorted[i + 1] <= sorted[i] + 1) i++;
    parts.push(sorted[i] > start ? `${start}-${sorted[i]}` : `${start}`);
  }
  return parts.join('.');
}

/** Numbers below `count` in their order, each once. */
function readRanges(text, count) {
  const named = new Uint8Array(count);
  for (const part of text.split('.')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (match) named.fill(1, Number(match[1]), Number(match[2] ?? match[1]) + 1);
  }
  const numbers = [...named.keys()].filter((number) => named[number]);
  return numbers.length ? numbers : null;
}

function readNumber(text, count) {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  return value < count ? value : null;
}

function oneOf(...allowed) {
  return (text) => (allowed.includes(text) ? text : undefined);
}

/** How each part is read, undefined: it is not valid and stays as it is; and written. */
function codec(head) {
  const functions = head.functions.name.length;
  const buckets = head.time?.buckets ?? 1;
  return {
    view: {read: (text) => (/^[a-z]+$/.test(text) ? text : undefined), write: String},
    weight: {read: oneOf(...head.weights), write: String},
    threads: {read: (text) => readRanges(text, head.threads.length), write: rangesText},
    span: {
      read(text) {
        const match = /^(\d+)-(\d+)$/.exec(text);
        const [first, end] = match ? [Number(match[1]), Number(match[2])] : [0, 0];
        return first < end && end <= buckets ? [first, end] : undefined;
      },
      write: (span) => span.join('-'),
    },
    states: {read: oneOf('all', 'run', 'wait'), write: String},
    func: {read: (text) => readNumber(text, functions), write: String},
    search: {read: (text) => text, write: String},
    module: {read: (text) => readNumber(text, head.modules.length), write: String},
    invert: {read: (text) => text === '1', write: () => '1'},
    rows: {read: oneOf('merged', 'threads'), write: String},
    colour: {read: oneOf('module', 'trust', 'change'), write: String},
    side: {read: oneOf('now', 'base'), write: String},
    zoom: {
      read: (text) => text.split('.')
                          .map((part) => readNumber(part, functions))
                          .filter((func) => func !== null),
      write: (zoom) => zoom.join('.'),
    },
    object: {
      read: (text) => readNumber(text, (head.objects?.length ?? 0) + (head.waits?.length ?? 0)),
      write: String
    },
    at: {read: (text) => readNumber(text, Number.MAX_SAFE_INTEGER), write: String},
    divided: {read: (text) => (text === '0' ? false : undefined), write: () => '0'},
    sort: {read: (text) => (/^-?[a-z]+$/.test(text) ? text : undefined), write: String},
  };
}

function isSame(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** "#view=flame&span=3-9": what differs from the initial state. */
export function writeHash(state, head) {
  const initial = initialState(head);
  const parts = new URLSearchParams();
  for (const [key, {write}] of Object.entries(codec(head)))
    if (!isSame(state[key], initial[key])) parts.set(key, write(state[key]));
  const text = parts.toString();
  return text ? `#${text}` : '';
}

/** @returns {State} what is not valid is as in the initial state */
export function readHash(hash, head) {
  const state = initialState(head);
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  for (const [key, {read}] of Object.entries(codec(head))) {
    const value = parts.has(key) ? read(parts.get(key)) : undefined;
    if (value !== undefined) state[key] = value;
  }
  return state;
}

/** @returns {import('./model.js').Selection} what the state selects */
export function selectionOf(state, head) {
  let threads = null;
  let states = null;
  if (state.threads) {
    threads = new Uint8Array(head.threads.length);
    for (const thread of state.threads) threads[thread] = 1;
  }
  if (state.states !== 'all') {
    const runs = state.states === 'run';
    states = Uint8Array.from(head.states.map((known) => Number(known.runs === runs)));
  }
  const [first, end] = state.span ?? [0, Infinity];
  return {weight: state.weight, threads, first, end, states};
}
