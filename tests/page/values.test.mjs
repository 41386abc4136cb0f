// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {readPayload} from '../../src/output/html/data.js';
import {Model} from '../../src/output/html/model.js';
import {chainsWith} from '../../src/output/html/sandwich.js';
import {Values, weighValues} from '../../src/output/html/values.js';

import {payloadOf, withValues} from './payload.mjs';
import {ALL} from './programs.mjs';

const kind = (text) => ({name: 'kind', type: 'enum kind', text, state: 'known', local: false});
const n = (text, state = 'known') => ({name: 'n', type: 'int', text, state, local: true});

const CHAINS = [['main', 'handle', 'work'], ['main', 'handle'], ['handle', 'handle']];
const entry = (thread, bucket, chain, samples) =>
    ({thread, bucket, chain, state: 1, samples, wall: 1, cpu: 1});
const ENTRIES = [
  entry(0, 0, 0, 1), entry(0, 1, 0, 2), entry(0, 2, 1, 3), entry(0, 4, 0, 4), entry(1, 1, 2, 5),
  entry(1, 3, 1, 6)
];

/** Of two threads; of thread 1's last entry nothing is told. */
const RUNS = [
  {thread: 0, first: 0, last: 1, chain: 0, frames: [[], [kind('READ'), n('1')], []]},
  {thread: 0, first: 2, last: 2, chain: 1, frames: [[], [kind('WRITE'), n('1')]]},
  {
    thread: 0,
    first: 4,
    last: 4,
    chain: 0,
    frames: [[], [kind('READ'), n('<optimized out>', 'optimized-out')], [n('7')]]
  },
  {thread: 1, first: 1, last: 1, chain: 2, frames: [[kind('A')], [kind('B')]]},
];

const payload = readPayload(
    withValues(payloadOf({threads: 2, buckets: 5, chains: CHAINS, entries: ENTRIES}), RUNS));
const model = new Model(payload);
const values = new Values(payload);
const func = (name) => payload.head.functions.name.indexOf(name);

test('a run is found by thread, time and chain', () => {
  for (let thread = 0; thread < 2; thread++)
    for (let bucket = 0; bucket < 5; bucket++)
      for (let chain = 0; chain < CHAINS.length; chain++)
        assert.equal(
            values.runOf(thread, bucket, chain),
            RUNS.findIndex(
                (run) => run.thread === thread && run.chain === chain && run.first <= bucket &&
                    run.last >= bucket),
            `${thread} ${bucket} ${chain}`);
});

test('runs of a thread within a time, and the one next to a time', () => {
  assert.deepEqual(values.runsWithin(0, 1, 2), [0, 1]);
  assert.deepEqual(values.runsWithin(0, 3, 3), []);
  assert.deepEqual(values.runsWithin(1, 0, 4), [3]);
  assert.deepEqual(values.nearest([0, 1, 2], 3), [1]);
  assert.deepEqual(values.nearest([1, 2], 0), [1]);
  assert.deepEqual(values.nearest([], 0), []);
});

test('frames of a run come innermost first with their variables', () => {
  RUNS.forEach((run, i) => {
    const frames = values.framesOf(model, i);
    assert.deepEqual(
        frames.map((frame) => model.functionName(frame.func)), [...CHAINS[run.chain]].reverse());
    assert.deepEqual(frames.map(({variables}) => variables), [...run.frames].reverse());
  });
});

test('values of a function are weighed by what is selected', () => {
  const handle = func('handle');
  const weigh = (selection) =>
      weighValues(values, model, handle, {...ALL, ...selection}, chainsWith(model, handle));
  const all = weigh({});
  assert.equal(all.told, 15);
  const shares = (told, name) => Object.fromEntries(
      told.variables.find((one) => one.name === name).values.map(({text,
                                                                   weight}) => [text, weight]));
  assert.deepEqual(shares(all, 'kind'), {READ: 7, B: 5, WRITE: 3});
  assert.deepEqual(shares(all, 'n'), {1: 6, '<optimized out>': 4});
  assert.equal(all.variables[0].values[0].text, 'READ', 'the heaviest first');
  assert.deepEqual(shares(weigh({first: 1, end: 3}), 'kind'), {READ: 2, WRITE: 3, B: 5});
  assert.deepEqual(shares(weigh({threads: Uint8Array.of(0, 1)}), 'kind'), {B: 5});
  assert.deepEqual(weigh({states: Uint8Array.of(0, 0, 1)}), {told: 0, variables: []});
});

test('of a function that is in no chain nothing is told', () => {
  const work = func('work');
  const told =
      weighValues(values, model, work, {...ALL, first: 2, end: 3}, chainsWith(model, work));
  assert.deepEqual(told, {told: 0, variables: []});
});
