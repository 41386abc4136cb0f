// SPDX-License-Identifier: MIT
/**
 * Payloads with what threads did when: pieces, waits and objects, from tables or at random.
 */
import {readPayload} from '../../src/output/html/data.js';

import {makePayload} from './payload.mjs';

export const TIMELINE_STATES = [
  'running', 'ready (no CPU)', 'waits for a lock', 'waits for threads', 'waits for I/O', 'sleeping',
  'blocked', 'stopped', 'not sampled'
];

/** The same numbers each time. */
export function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/**
 * The parts of a payload that tell of time and threads.
 * @param {{threads: object[], pieces: {begin: number, end: number, state: number, text?: number,
 *   wait?: number, cpu?: number}[][], unit?: number, texts?: string[], waits?: object[],
 *   objects?: object[], hierarchy?: object[], buckets: number, bucketNs: number,
 *   holds?: {from: number, to: number, owner?: number, wait: number}[][], states?: number[][],
 *   blocked?: object[]}} program
 *   pieces by thread, in units; `wait` and `text` count from 1; holds by object, in ns, their waits
 *   from 0; states by thread, in ns
 */
export function threadParts(program) {
  const all = program.pieces.flat();
  const holds = (program.holds ?? []).flat();
  const gaps = program.pieces.flatMap(
      (list) => list.map((piece, i) => piece.begin - (i ? list[i - 1].end : 0)));
  const duration = program.buckets * program.bucketNs;
  const running = runningOf(program).map((ns) => Math.round((100 * ns) / program.bucketNs));
  return {
    head: {
      time: {bucket_ns: program.bucketNs, buckets: program.buckets},
      duration_ns: duration,
      piece_unit_ns: program.unit ?? 1,
      timeline_states: TIMELINE_STATES,
      texts: program.texts ?? ['f', 'g', 'h'],
      waits: program.waits ?? [],
      objects: program.objects ?? [],
      blocked: program.blocked ?? [],
      threads: program.threads,
      hierarchy: program.hierarchy ?? [{parent: -1, pid: 7, name: 'main', label: 'main', count: 1}],
    },
    columns: {
      'thread.pieces': ['varint', program.pieces.map((list) => list.length)],
      'piece.gap': ['varint', gaps],
      'piece.length': ['varint', all.map((piece) => piece.end - piece.begin)],
      'piece.state': ['u8', all.map((piece) => piece.state)],
      'piece.text': ['varint', all.map((piece) => piece.text ?? 0)],
      'piece.wait': ['varint', all.map((piece) => piece.wait ?? 0)],
      ...(all.some((piece) => piece.cpu !== undefined) ? {
        'piece.cpu': ['varint', all.map((piece) => piece.cpu ?? 0)],
        'piece.untold': ['varint', all.map((piece) => piece.untold ?? 0)]
      } :
                                                         {}),
      'object.holds': ['varint', (program.holds ?? []).map((list) => list.length)],
      'hold.gap': [
        'varint',
        (program.holds ??
         []).flatMap((list) => list.map(({from}, i) => from - (i ? list[i - 1].to : 0)))
      ],
      'hold.length': ['varint', holds.map(({from, to}) => to - from)],
      'hold.owner': ['varint', holds.map(({owner}) => (owner ?? -1) + 1)],
      'hold.wait': ['varint', holds.map(({wait}) => wait)],
      'hold.inferred': ['u8', holds.map(({wait}) => program.waits[wait].owner_inferred ? 1 : 0)],
      ...(program.states ? {'thread.state_ns': ['varint', program.states.flat()]} : {}),
      'curve.running': ['varint', running],
      'curve.ready': ['varint', running.map(() => 0)],
    },
  };
}

/** How long threads ran, by bucket. */
function runningOf({pieces, unit = 1, buckets, bucketNs}) {
  const sums = new Array(buckets).fill(0);
  for (const {begin, end, state} of pieces.flat()) {
    if (state !== 0) continue;
    for (let at = begin * unit; at < end * unit;) {
      const bucket = Math.floor(at / bucketNs);
      const next = Math.min(end * unit, (bucket + 1) * bucketNs);
      sums[bucket] += next - at;
      at = next;
    }
  }
  return sums;
}

/** A payload of nothing but threads and times, read. */
export function threadPayload(program) {
  const {head, columns} = threadParts(program);
  return readPayload(makePayload(head, columns));
}

/** Some threads that run, wait for locks which others hold, and for each other. */
export function randomThreads(seed, {threads = 5, pieces = 60} = {}) {
  const random = randomOf(seed);
  const objects = [
    {kind: 'mutex', group: 'lock', name: 'mutex g_lock'},
    {kind: 'rwlock', group: 'lock', name: 'rwlock g_table'},
    {kind: 'condition', group: 'threads', name: 'condition g_came'},
    {kind: 'read', group: 'outside', name: 'read of descriptor 5', fd: 5},
  ];
  const waits = [];
  for (let owner = 0; owner < threads; owner++)
    waits.push({kind: 'mutex', group: 'lock', object: 0, owner, owner_inferred: owner % 2 === 1});
  waits.push(
      {kind: 'mutex', group: 'lock', object: 0},
      {kind: 'rwlock (write)', group: 'lock', object: 1, readers: 2},
      {kind: 'rwlock (read)', group: 'lock', object: 1, owner: 0},
      {kind: 'condition', group: 'threads', object: 2}, {kind: 'read', group: 'outside', object: 3},
      {kind: 'futex', group: 'threads'}, {kind: 'sleep', group: 'outside'});
  const holdsOf = (object, told) => {
    const list = [];
    for (let at = random(9); at < 200 * pieces; at += 1 + random(90)) {
      const wait = told[random(told.length)];
      const from = at;
      at += 1 + random(400);
      list.push({from, to: at, owner: waits[wait].owner, wait});
    }
    return list;
  };
  const states = [2, 2, 2, 3, 4, 3, 5];
  const listOf = () => {
    const list = [];
    let time = random(20);
    for (let i = 0; i < pieces; i++) {
      const begin = time + (random(4) ? 0 : random(9));
      const waits_ = random(2);
      const wait = waits_ ? 1 + random(waits.length) : 0;
      time = begin + 1 + random(30);
      list.push({
        begin,
        end: time,
        state: wait ? states[Math.max(0, wait - threads - 1)] : random(9),
        text: random(4),
        wait
      });
    }
    return list;
  };
  const lists = Array.from({length: threads}, listOf);
  const end = Math.max(...lists.flat().map((piece) => piece.end));
  return {
    threads: lists.map((_, t) => ({pid: 7, tid: 7 + t, name: `worker-${t}`, node: t % 2})),
    hierarchy: [
      {parent: -1, pid: 7, name: 'main', label: 'main', count: 1},
      {parent: 0, pid: 7, name: 'worker', label: 'worker', count: 1}
    ],
    pieces: lists,
    unit: 10,
    waits,
    objects,
    holds: [
      holdsOf(0, waits.slice(0, threads).map((_, i) => i)), holdsOf(1, [threads + 1, threads + 2])
    ],
    buckets: Math.ceil(end / 10),
    bucketNs: 100,
  };
}
