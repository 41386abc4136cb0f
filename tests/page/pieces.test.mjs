// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {PIECE_STATES, Pieces, pieceStates, rowsOf} from '../../src/output/html/pieces.js';
import {bucketsBetween, curveMean, curveOf, endOf, roundStep, ticksOf, tickText} from '../../src/output/html/time_axis.js';

import {randomOf, randomThreads, threadPayload} from './thread_payload.mjs';

const S = PIECE_STATES.length;

function overlap(piece, unit, from, to) {
  return Math.max(0, Math.min(piece.end * unit, to) - Math.max(piece.begin * unit, from));
}

function selectionsOf(program, random) {
  const end = program.buckets * program.bucketNs;
  const list = [{threads: null, from: 0, to: end, states: pieceStates('all')}];
  for (let i = 0; i < 12; i++) {
    const a = random(end);
    const b = random(end);
    list.push({
      threads: i % 3 ? Uint8Array.from(program.threads, () => random(2)) : null,
      from: Math.min(a, b),
      to: Math.max(a, b) + 1,
      states: pieceStates(['all', 'run', 'wait'][i % 3]),
    });
  }
  return list;
}

test('pieces are where the payload has them', () => {
  const program = randomThreads(3);
  const pieces = new Pieces(threadPayload(program));
  let at = 0;
  program.pieces.forEach((list, thread) => list.forEach((piece) => {
    assert.equal(pieces.begin[at], piece.begin * 10);
    assert.equal(pieces.end[at], piece.end * 10);
    assert.equal(pieces.threadOf(at), thread);
    at++;
  }));
  assert.equal(pieces.count, at);
});

test('sums of states are those added piece by piece', () => {
  for (let seed = 1; seed < 9; seed++) {
    const program = randomThreads(seed);
    const pieces = new Pieces(threadPayload(program));
    for (const selection of selectionsOf(program, randomOf(seed))) {
      const byThread = new Float64Array(program.threads.length * S);
      program.pieces.forEach((list, thread) => list.forEach((piece) => {
        if ((!selection.threads || selection.threads[thread]) && selection.states[piece.state])
          byThread[thread * S + piece.state] += overlap(piece, 10, selection.from, selection.to);
      }));
      assert.deepEqual(pieces.sumThreads(selection), byThread);
      const byState = new Float64Array(S);
      byThread.forEach((ns, i) => {
        byState[i % S] += ns;
      });
      assert.deepEqual(pieces.sumStates(selection), byState);
    }
  }
});

test('a piece is found by its time', () => {
  for (let seed = 1; seed < 5; seed++) {
    const program = randomThreads(seed);
    const pieces = new Pieces(threadPayload(program));
    let before = 0;
    program.pieces.forEach((list, thread) => {
      for (let time = 0; time < program.buckets * 100; time += 7) {
        const i = list.findIndex((piece) => piece.begin * 10 <= time && time < piece.end * 10);
        assert.equal(pieces.at(thread, time), i < 0 ? -1 : before + i);
      }
      before += list.length;
    });
  }
});

test('what a thread did within intervals is added by state and function', () => {
  const program = randomThreads(4);
  const pieces = new Pieces(threadPayload(program));
  const intervals = [[50, 333], [400, 401], [1000, 5000]];
  for (let thread = 0; thread < program.threads.length; thread++) {
    const right = new Map();
    for (const piece of program.pieces[thread])
      for (const [from, to] of intervals) {
        const ns = overlap(piece, 10, from, to);
        const isUnknown = PIECE_STATES[piece.state] === 'unknown';
        const key = `${piece.state} ${isUnknown ? 0 : piece.text}`;
        if (ns) right.set(key, (right.get(key) ?? 0) + ns);
      }
    const did = pieces.didWithin(thread, intervals);
    assert.deepEqual(new Map(did.map(({state, text, ns}) => [`${state} ${text}`, ns])), right);
    did.forEach((sum, i) => assert.ok(i === 0 || did[i - 1].ns >= sum.ns));
  }
});

test('CPU time tells how much of what was running or ready ran', () => {
  const program = {
    threads: [{name: 'a'}, {name: 'b'}],
    buckets: 10,
    bucketNs: 100,
    unit: 10,
    pieces: [
      [
        {begin: 0, end: 20, state: 1, text: 1, cpu: 5},
        {begin: 20, end: 40, state: 0, text: 2, cpu: 15, untold: 4},
        {begin: 40, end: 60, state: 2, text: 1, cpu: 10},
      ],
      [{begin: 0, end: 20, state: 1, text: 1, cpu: 0}, {begin: 20, end: 30, state: 5, cpu: 30}],
    ],
  };
  const pieces = new Pieces(threadPayload(program));
  const all = {threads: null, from: 0, to: 1000, states: pieceStates('all')};
  const of = (selection, thread) =>
      Array.from(pieces.sumThreads(selection).slice(thread * S, thread * S + 3));
  assert.deepEqual(of(all, 0), [300, 160, 100]);
  assert.deepEqual(of(all, 1), [100, 200, 0]);
  assert.deepEqual(of({...all, states: pieceStates('run')}, 0), [300, 160, 0]);
  assert.deepEqual(of({...all, states: pieceStates('wait')}, 0), [0, 0, 100]);
  assert.deepEqual(of({...all, from: 100, to: 300}, 0), [100, 80, 0]);
  assert.deepEqual(Array.from(pieces.sumStates(all).slice(0, 3)), [400, 360, 100]);
  assert.equal(pieces.sumStates(all)[PIECE_STATES.indexOf('unknown')], 40);
  const did = (thread) => Object.fromEntries(
      pieces.didWithin(thread, [[0, 1000]]).map(({state, text, ns}) => [`${state} ${text}`, ns]));
  assert.deepEqual(
      did(0), {'0 0': 100, '0 1': 50, '1 1': 150, '0 2': 150, '1 2': 10, '8 0': 40, '2 1': 100});
  assert.deepEqual(did(1), {'1 1': 200, '0 0': 100});
  const whole = new Pieces(threadPayload(
      {...program, states: [[1, 2, 3, 0, 0, 0, 0, 0, 4], [5, 0, 0, 0, 0, 0, 0, 0, 6]]}));
  assert.deepEqual(
      Array.from(whole.sumStates({...all, allTime: true})), [6, 2, 3, 0, 0, 0, 0, 0, 10]);
  assert.equal(whole.sumStates({...all, allTime: true, threads: Uint8Array.of(0, 1)})[0], 5);
});

test('columns have the time of each state, and the piece that takes most', () => {
  for (let seed = 1; seed < 9; seed++) {
    const random = randomOf(seed);
    const program = randomThreads(seed);
    const pieces = new Pieces(threadPayload(program));
    const end = program.buckets * program.bucketNs;
    for (const width of [1, 7, 100, 1000]) {
      const from = random(end / 2);
      const to = from + 1 + random(end);
      const byState = new Float64Array(width * S);
      const longest = new Int32Array(width);
      for (let thread = 0, before = 0; thread < program.threads.length; thread++) {
        pieces.columns(thread, from, to, width, byState, longest);
        const list = program.pieces[thread];
        for (let column = 0; column < width; column++) {
          const left = from + ((to - from) * column) / width;
          const right = from + ((to - from) * (column + 1)) / width;
          const parts = list.map((piece) => overlap(piece, 10, left, right));
          for (let state = 0; state < S; state++) {
            const ns = list.reduce((sum, p, i) => sum + (p.state === state ? parts[i] : 0), 0);
            assert.ok(Math.abs(byState[column * S + state] - ns) < 1e-6 * (to - from));
          }
          const most = Math.max(...parts);
          const found = longest[column];
          if (most < 1e-6)
            assert.ok(found < 0 || parts[found - before] < 1e-6);
          else
            assert.ok(parts[found - before] > most - 1e-6 * (to - from));
        }
        before += list.length;
      }
    }
  }
});

test('rows are in the order of the hierarchy', () => {
  const rows = rowsOf({
    hierarchy: [{parent: -1}, {parent: 0}, {parent: 1}, {parent: 0}],
    threads: [{node: 3}, {node: 0}, {node: 2}, {node: 3}, {node: 1}],
  });
  assert.deepEqual(
      rows.map(({thread, depth}) => [thread, depth]), [[1, 0], [4, 1], [2, 2], [0, 1], [3, 1]]);
});

test('the last bucket ends where the capture does', () => {
  const time = {bucket_ns: 10, buckets: 40};
  assert.equal(endOf({time, duration_ns: 396}), 396);
  assert.equal(endOf({time, duration_ns: 400}), 400);
  assert.equal(endOf({time, duration_ns: 90}), 400);
  assert.equal(endOf({time}), 400);
  assert.equal(endOf({time: {...time, from_ns: 1000}, duration_ns: 395}), 1395);
});

test('ticks are round, and told with the digits that they need', () => {
  assert.equal(roundStep(1000, 10), 100);
  assert.equal(roundStep(1001, 10), 200);
  assert.equal(tickText(1.5e9, 5e8, 4e9), '1.5 s');
  assert.equal(tickText(1.25e9, 5e7, 1.5e9), '1.25 s');
  assert.equal(tickText(1500000, 500000, 9e8), '1.5 ms');
  assert.deepEqual(ticksOf(2.9e9, 4.1e9, 3).map(({text}) => text), ['3.0 s', '3.5 s', '4.0 s']);
  const late = 2 ** 60;  // where one more is none
  assert.ok(ticksOf(late, late + 1024, 5).length <= 1025);
});

test('means of the curve are areas', () => {
  const program = randomThreads(6);
  const curve = curveOf(threadPayload(program));
  const {bucketNs} = program;
  const all = curve.running.reduce((sum, value) => sum + value, 0) / curve.running.length;
  assert.ok(Math.abs(curveMean(curve, curve.running, 0, curve.end) - all) < 1e-9);
  assert.ok(
      Math.abs(
          curveMean(curve, curve.running, bucketNs / 2, 1.5 * bucketNs) -
          (curve.running[0] + curve.running[1]) / 2) < 1e-9);
  assert.equal(curveMean(curve, curve.running, curve.end, curve.end + 5), 0);
});

test('spans are whole buckets within the capture, one at least', () => {
  const time = {bucket_ns: 10, buckets: 20, from_ns: 50};
  assert.deepEqual(bucketsBetween(time, 121, 120), [7, 8]);
  assert.deepEqual(bucketsBetween(time, 181, 149), [9, 14]);
  assert.deepEqual(bucketsBetween(time, -100, 1000), [0, 20]);
  assert.deepEqual(bucketsBetween(time, 250, 250), [19, 20]);
});
