// SPDX-License-Identifier: MIT
/**
 * Writes payloads of pages as docs/formats/page.md has them, from tables: what the tests of the
 * script are made with. A large one: large.mjs.
 */
function varints(numbers) {
  const bytes = [];
  for (let value of numbers) {
    while (value > 127) {
      bytes.push((value % 128) | 128);
      value = Math.floor(value / 128);
    }
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

function zigzags(numbers) {
  return varints(numbers.map((value) => (value < 0 ? -2 * value - 1 : 2 * value)));
}

const ENCODERS = {
  u8: (numbers) => Uint8Array.from(numbers),
  varint: varints,
  zigzag: zigzags,
  text: (text) => new TextEncoder().encode(text),
};

/** Bytes of a payload. @param columns {name: [type, numbers or text]} */
export function makePayload(head, columns) {
  const parts = [];
  const table = {};
  let offset = 0;
  for (const [name, [type, values]] of Object.entries(columns)) {
    const bytes = ENCODERS[type](values);
    table[name] = [offset, bytes.length, values.length, type];
    parts.push(bytes);
    offset += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify({...head, columns: table}));
  const out = new Uint8Array(4 + text.length + offset);
  new DataView(out.buffer).setUint32(0, text.length, true);
  out.set(text, 4);
  let at = 4 + text.length;
  for (const bytes of parts) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

const STATES = [
  {letter: '', name: 'not known', runs: null}, {letter: 'R', name: 'running', runs: true},
  {letter: 'S', name: 'sleeping', runs: false}
];

/**
 * A program in which each chain is a list of functions, outermost first.
 * @param {{threads: number, buckets?: number, chains: string[][],
 *   entries: {thread: number, bucket?: number, chain: number, state: number, samples: number,
 *     wall: number, cpu: number}[],
 *   base?: {chain: number, state: number, samples: number, wall: number, cpu: number}[]}} program
 *   entries by thread, then bucket
 */
export function payloadOf(program) {
  const names = [...new Set(program.chains.flat())];
  const index = new Map(names.map((name, i) => [name, i]));
  const nodes = [];
  const leaf = [];
  const sorted = program.chains.map((chain, i) => ({chain: chain.map((f) => index.get(f)), i}))
                     .sort((a, b) => compareLists(a.chain, b.chain));
  let before = [];
  for (const {chain, i} of sorted) {
    let common = 0;
    while (common < chain.length && common < before.length && chain[common] === before[common])
      common++;
    for (let depth = common; depth < chain.length; depth++)
      nodes.push({up: depth === common ? before.length - common : 0, frame: chain[depth]});
    leaf[i] = {length: chain.length, chain};
    before = chain;
  }
  const {entries, base = []} = program;
  const perThread =
      Array.from({length: program.threads}, (_, t) => entries.filter((e) => e.thread === t).length);
  const buckets = program.buckets ?? 1;
  const gaps = entries.map((e, i) => {
    const same = i > 0 && entries[i - 1].thread === e.thread;
    return (e.bucket ?? 0) - (same ? entries[i - 1].bucket ?? 0 : 0);
  });
  const sum = (list, kind) => list.reduce((total, entry) => total + entry[kind], 0);
  const off = (e) => (e.state === 2 ? Math.max(0, e.wall - e.cpu) : 0);
  const kinds = ['samples', 'wall', 'cpu'];
  const totals = (list) => ({
    ...Object.fromEntries(kinds.map((kind) => [kind, sum(list, kind)])),
    offcpu: list.reduce((total, e) => total + off(e), 0)
  });
  const weights = (prefix, list) => ({
    [`${prefix}.chain`]: ['varint', list.map((e) => e.chain)],
    [`${prefix}.state`]: ['u8', list.map((e) => e.state)],
    [`${prefix}.samples`]: ['varint', list.map((e) => e.samples)],
    [`${prefix}.wall`]: ['varint', list.map((e) => e.wall)],
    [`${prefix}.cpu`]: ['varint', list.map((e) => e.cpu)],
    [`${prefix}.offcpu`]: ['zigzag', list.map((e) => off(e) - Math.max(0, e.wall - e.cpu))],
  });
  const head = {
    version: 1,
    title: '/usr/bin/program (pid 7)',
    unit_ns: 1,
    weights: ['samples', 'wall', 'cpu', 'offcpu'],
    weight: 'samples',
    time: {bucket_ns: 10000000, buckets},
    duration_ns: buckets * 10000000,
    totals: totals(entries),
    shown: totals(entries),
    states: STATES,
    stops: ['thread-start', 'no-rule'],
    complete_stops: [0],
    trusts: ['context', 'eh_frame', 'prologue'],
    modules:
        [{path: '/usr/bin/program', name: 'program'}, {path: '/lib/libc.so.6', name: 'libc.so.6'}],
    files: ['a.c'],
    functions: {name: names, module: names.map((_, i) => i % 2)},
    threads: Array.from(
        {length: program.threads}, (_, t) => ({pid: 7, tid: 7 + t, name: `worker-${t}`, node: 0})),
    hierarchy: [{parent: -1, pid: 7, name: 'main'}],
  };
  if (program.base) head.base_totals = totals(base);
  return makePayload(head, {
    'frame.function': ['varint', names.map((_, i) => i)],
    'frame.file': ['varint', names.map((_, i) => i % 2)],
    'frame.line': ['varint', names.map((_, i) => i + 1)],
    'frame.trust': ['u8', names.map((_, i) => i % 3)],
    'frame.flags': ['u8', names.map(() => 0)],
    'trie.up': ['varint', nodes.map((node) => node.up)],
    'trie.frame': ['varint', nodes.map((node) => node.frame)],
    'chain.leaf': ['varint', leaf.map(({chain}) => findNode(nodes, chain))],
    'chain.stop': ['u8', leaf.map((_, i) => i % 2)],
    'thread.entries': ['varint', perThread],
    'entry.bucket': ['varint', gaps],
    ...weights('entry', entries),
    ...(program.base ? weights('base', base) : {}),
  });
}

function compareLists(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++)
    if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/** The number of the node at the end of a chain. */
function findNode(nodes, chain) {
  const path = [];
  if (chain.length === 0) return 0;
  for (let i = 0; i < nodes.length; i++) {
    path.length -= nodes[i].up;
    path.push(nodes[i].frame);
    if (path.length === chain.length && compareLists(path, chain) === 0) return i + 1;
  }
  throw new Error('a chain is not in the trie');
}

/** What a list of texts, numbers or the like has once, in the order in which it came. */
class Once {
  constructor() {
    this.list = [];
    this.places = new Map();
  }

  /** @returns {number} the place */
  add(what) {
    const key = JSON.stringify(what);
    if (!this.places.has(key)) this.places.set(key, this.list.push(what) - 1);
    return this.places.get(key);
  }
}

/**
 * A payload with variables. @param {Uint8Array} bytes one without
 * @param {{thread: number, first: number, last: number, chain: number, frames: object[][]}[]} runs
 *   by thread; of each frame, the outermost first, its variables
 */
export function withValues(bytes, runs) {
  const size = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const states = ['known', 'optimized-out', 'not-captured', 'unavailable', 'partial'];
  const [texts, values, lists, moments] = [new Once(), new Once(), new Once(), new Once()];
  lists.add([]);
  const momentOf = (frames) => frames.reduce((outside, variables) => {
    const members = variables.map(({name, type, text, state, local}) => values.add([
      texts.add(name), texts.add(type), texts.add(text), states.indexOf(state), Number(local)
    ]));
    return moments.add([outside, lists.add(members)]) + 1;
  }, 0);
  const ends = runs.map(({frames}) => momentOf(frames));
  const part = (i) => values.list.map((value) => value[i]);
  const before = (i) => (i > 0 && runs[i - 1].thread === runs[i].thread ? runs[i - 1].first : 0);
  const added = {
    'value.name': ['varint', part(0)],
    'value.type': ['varint', part(1)],
    'value.text': ['varint', part(2)],
    'value.state': ['u8', part(3)],
    'value.local': ['u8', part(4)],
    'list.size': ['varint', lists.list.map((list) => list.length)],
    'list.value': ['varint', lists.list.flat()],
    'moment.outside': ['varint', moments.list.map(([outside], i) => i + 1 - outside)],
    'moment.list': ['varint', moments.list.map(([, list]) => list)],
    'thread.runs':
        ['varint', head.threads.map((_, t) => runs.filter(({thread}) => thread === t).length)],
    'run.from': ['zigzag', runs.map(({first}, i) => first - before(i))],
    'run.more': ['varint', runs.map(({first, last}) => last - first)],
    'run.chain': ['varint', runs.map(({chain}) => chain)],
    'run.moment': ['varint', ends],
  };
  const tail = makePayload({}, added);
  const tailSize = new DataView(tail.buffer).getUint32(0, true);
  const tailHead = JSON.parse(new TextDecoder().decode(tail.subarray(4, 4 + tailSize)));
  const length = bytes.length - 4 - size;
  for (const [name, [offset, ...rest]] of Object.entries(tailHead.columns))
    head.columns[name] = [offset + length, ...rest];
  head.values = {texts: texts.list, states};
  const text = new TextEncoder().encode(JSON.stringify(head));
  const start = new Uint8Array(4);
  new DataView(start.buffer).setUint32(0, text.length, true);
  return Uint8Array.from(
      [...start, ...text, ...bytes.subarray(4 + size), ...tail.subarray(4 + tailSize)]);
}
