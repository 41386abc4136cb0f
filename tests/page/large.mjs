// SPDX-License-Identifier: MIT
/**
 * A large program, to measure pages with: a heavy-tailed call tree of C++ names in some modules,
 * kinds of threads of which each has its part of the tree, a baseline. `node large.mjs OUT [PAGE]
 * [entries=1000000] [nodes=300000] [functions=20000] [threads=200] [depth=60]` writes the data
 * element of a page; with PAGE, this page with that data in it.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';

import {makePayload} from './payload.mjs';

const MODULES = 40;
const KINDS = 12;
const BUCKETS = 2000;

function randomSource(seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  return {next, below: (limit) => Math.floor(next() * limit)};
}

function makeNames(count) {
  const spaces = ['net', 'store::index', 'std', 'http::parser', 'util'];
  return Array.from({length: count}, (_, i) => {
    const types = i % 3 ? '' : '<std::vector<unsigned long>, 16>';
    return `${spaces[i % 5]}::Type${i % 97}${types}::function_${i}(std::string const&, int)`;
  });
}

/** Depth-first: mostly one further in, sometimes back out. @returns columns and the deepest */
function makeTrie(random, nodes, frames, depth) {
  const up = new Uint32Array(nodes);
  const frame = new Uint32Array(nodes);
  const depthOf = new Uint32Array(nodes + 1);
  for (let i = 0; i < nodes; i++) {
    const at = depthOf[i];
    let back = i === 0 || random.next() < 0.72 ? 0 : 1 + random.below(Math.min(at, 6));
    if (at + 1 - back > depth) back = Math.floor(at * random.next()) + 1;
    up[i] = Math.min(back, at);
    if (at - up[i] === 0 && i > 0) up[i] = Math.max(0, at - 1);
    depthOf[i + 1] = at + 1 - up[i];
    frame[i] = random.below(frames);
  }
  return {up, frame};
}

/** Weights of chains fall off: a few are most of the samples. */
function heavy(random, count) {
  return Math.floor(count * random.next() ** 4);
}

function makeEntries(random, sizes, chains) {
  const {entries, threads} = sizes;
  const columns = {
    bucket: new Uint32Array(entries),
    chain: new Uint32Array(entries),
    state: new Uint8Array(entries),
    samples: new Uint32Array(entries),
    wall: new Uint32Array(entries),
    cpu: new Uint32Array(entries),
    offcpu: new Float64Array(entries),
  };
  const perThread = new Uint32Array(threads);
  const size = Math.floor(entries / threads);
  for (let thread = 0, at = 0; thread < threads; thread++) {
    const end = thread === threads - 1 ? entries : at + size;
    perThread[thread] = end - at;
    const shift = Math.floor(((thread % KINDS) * chains) / KINDS);
    for (let bucket = 0; at < end; at++) {
      const gap = Math.min(random.next() < BUCKETS / size ? 1 : 0, BUCKETS - 1 - bucket);
      columns.bucket[at] = gap;
      bucket += gap;
      fillEntry(random, columns, at, (heavy(random, chains) + shift) % chains);
    }
  }
  return {columns, perThread};
}

function fillEntry(random, columns, at, chain) {
  columns.chain[at] = chain;
  columns.state[at] = random.below(3) ? 2 : 1;
  columns.samples[at] = 1 + random.below(2);
  columns.wall[at] = 900 + random.below(200);
  columns.cpu[at] = columns.state[at] === 1 ? random.below(900) : 0;
}

function sumOf(numbers) {
  return numbers.reduce((sum, value) => sum + value, 0);
}

function totalsOf(columns, unitNs) {
  const [samples, wall, cpu] = ['samples', 'wall', 'cpu'].map((kind) => sumOf(columns[kind]));
  return {samples, wall: wall * unitNs, cpu: cpu * unitNs, offcpu: (wall - cpu) * unitNs};
}

/** @returns {Uint8Array} a payload */
export function largePayload(
    {entries = 1000000, nodes = 300000, functions = 20000, threads = 200, depth = 60} = {}) {
  const random = randomSource(11);
  const frames = functions * 2;
  const trie = makeTrie(random, nodes, frames, depth);
  const chains = Math.max(1, Math.floor(nodes / 5));
  const now = makeEntries(random, {entries, threads}, chains);
  const before = makeEntries(random, {entries: Math.ceil(entries / 5), threads: 1}, chains).columns;
  delete before.bucket;
  const unitNs = 10000;
  const names = makeNames(functions);
  const head = {
    version: 1,
    title: '/usr/bin/large (pid 7)',
    unit_ns: unitNs,
    weights: ['samples', 'wall', 'cpu', 'offcpu'],
    weight: 'samples',
    time: {bucket_ns: 20000000, buckets: BUCKETS},
    duration_ns: BUCKETS * 20000000,
    totals: totalsOf(now.columns, unitNs),
    shown: totalsOf(now.columns, unitNs),
    base_totals: totalsOf(before, unitNs),
    states: [
      {letter: '', name: 'not known', runs: null}, {letter: 'R', name: 'running', runs: true},
      {letter: 'S', name: 'sleeping', runs: false}
    ],
    stops: ['thread-start', 'no-rule'],
    complete_stops: [0],
    trusts: [
      'context', 'kernel', 'debug_frame', 'eh_frame', 'exidx', 'gopclntab', 'prologue', 'fp', 'lr',
      'scan'
    ],
    modules: Array.from(
        {length: MODULES}, (_, i) => ({path: `/usr/lib/libpart${i}.so`, name: `libpart${i}.so`})),
    files: Array.from({length: 500}, (_, i) => `src/part/file${i}.cc`),
    functions: {name: names, module: names.map((_, i) => (i * 7) % MODULES)},
    threads: Array.from(
        {length: threads},
        (_, t) =>
            ({pid: 7, tid: 7 + t, name: `kind-${t % KINDS}`, node: t % KINDS, text: `t${t}`})),
    hierarchy: Array.from({length: KINDS}, (_, i) => ({parent: -1, pid: 7, name: `kind-${i}`})),
  };
  const range = (make) => Uint32Array.from({length: frames}, (_, i) => make(i));
  const weights = (prefix, columns) =>
      Object.fromEntries(Object.entries(columns).map(([name, values]) => [`${prefix}.${name}`, [
                                                       name === 'state'      ? 'u8' :
                                                           name === 'offcpu' ? 'zigzag' :
                                                                               'varint',
                                                       values
                                                     ]]));
  return makePayload(head, {
    'frame.function': ['varint', range((i) => i % functions)],
    'frame.file': ['varint', range((i) => (i % 500) + 1)],
    'frame.line': ['varint', range((i) => 1 + (i % 900))],
    'frame.trust': ['u8', range((i) => (i % 11 ? 3 : i % 10))],
    'frame.flags': ['u8', range(() => 0)],
    'trie.up': ['varint', trie.up],
    'trie.frame': ['varint', trie.frame],
    'chain.leaf': ['varint', Uint32Array.from({length: chains}, () => 1 + heavy(random, nodes))],
    'chain.stop': ['u8', Uint8Array.from({length: chains}, (_, i) => i % 2)],
    'thread.entries': ['varint', now.perThread],
    ...weights('entry', now.columns),
    ...weights('base', before),
  });
}

function main([out, ...rest]) {
  const sizes = {};
  let page = null;
  for (const word of rest) {
    const match = /^(entries|nodes|functions|threads|depth)=(\d+)$/.exec(word);
    if (match)
      sizes[match[1]] = Number(match[2]);
    else
      page = readFileSync(word, 'utf8');
  }
  const data = gzipSync(largePayload(sizes)).toString('base64');
  const node = `<script type="application/octet-stream" id="data">${data}</script>`;
  const known = /<script type="application\/octet-stream" id="data">[^<]*<\/script>/;
  writeFileSync(out, page === null ? node : page.replace(known, () => node));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
