// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {App} from '../../src/output/html/app.js';
import {readPayload} from '../../src/output/html/data.js';
import {FlameStack} from '../../src/output/html/flame_stack.js';
import {flameSaid, flameSummary, flameWords} from '../../src/output/html/flame_tip.js';

import {payloadOf} from './payload.mjs';

const CHAINS = [['main', 'load', 'read'], ['main', 'load', 'parse'], ['main', 'draw']];

function entry(thread, chain, samples) {
  return {thread, bucket: 0, chain, state: 1, samples, wall: samples * 1e6, cpu: samples * 1e6};
}

function appOf(hash) {
  return new App(
      readPayload(payloadOf({
        threads: 2,
        chains: CHAINS,
        entries: [entry(0, 0, 30), entry(0, 1, 10), entry(1, 2, 60)],
        base: [entry(0, 0, 10), entry(0, 2, 90)]
      })),
      hash);
}

function stackOf(app) {
  const {state, model} = app;
  const stack = new FlameStack(model, {
    sums: app.shownSums(),
    other: state.side === 'base' ? app.sums() : app.baseSums(),
    selection: app.selection(),
    byKind: state.rows === 'threads',
    trust: true,
    pixels: 1000,
    invert: state.invert,
    zoom: state.zoom
  });
  stack.grow(100);
  return stack;
}

function wordsOf(hash, path) {
  const app = appOf(hash);
  const stack = stackOf(app);
  const [graph] = stack.graphs;
  const ids = path.map((name) => app.head.functions.name.indexOf(name));
  return {app, stack, target: {graph, rect: graph.layout.find(ids)}};
}

test('a frame tells its share of the selection and of its caller, and both sides', () => {
  const {app, stack, target} = wordsOf('#colour=module', ['main', 'load', 'read']);
  assert.deepEqual(flameWords(app, stack, target), {
    name: 'read',
    where: '/usr/bin/program',
    told: [
      '30 samples: 30 % of the selection, 75 % of its caller here', 'now: 30 samples, 30 %',
      'baseline: 10 samples, 10 %', 'change: +20.00 percentage points'
    ]
  });
  const line = wordsOf('#colour=module', ['main', 'load']);
  assert.equal(flameWords(line.app, line.stack, line.target).where, '/lib/libc.so.6 · a.c:2');
});

test('seen from the baseline, now and then stay what they are', () => {
  const {app, stack, target} = wordsOf('#side=base', ['main', 'load', 'read']);
  assert.deepEqual(flameWords(app, stack, target).told, [
    '10 samples: 10 % of the selection, 100 % of its caller here', 'now: 30 samples, 30 %',
    'baseline: 10 samples, 10 %', 'change: +20.00 percentage points'
  ]);
});

test('inverted, the share is of what the frame calls', () => {
  const {app, stack, target} = wordsOf('#invert=1&weight=cpu&colour=trust', ['read', 'load']);
  const {name, told} = flameWords(app, stack, target);
  assert.equal(name, 'load');
  assert.equal(told[0], '30.0 ms: 30 % of the selection, 100 % of what it calls here');
  assert.equal(told.at(-1), 'found by: unwind tables (eh_frame)');
});

test('of one kind of thread the share among its threads is told, too', () => {
  const app = appOf('#rows=threads');
  app.head.threads.forEach((thread, i) => (thread.node = i));
  app.head.hierarchy = [{parent: -1, name: 'main'}, {parent: -1, name: 'painter'}];
  const stack = stackOf(app);
  const [painter, main] = stack.graphs;
  assert.equal(
      flameWords(app, stack, {graph: painter, rect: 0}).name,
      'painter · 1 thread · 60 samples · 60 %');
  assert.equal(
      flameWords(app, stack, {graph: main, rect: main.layout.find([0, 1, 2])}).told[0],
      '30 samples: 75 % of these threads, 30 % of the selection, 75 % of its caller here');
});

test('what is said has level and number of callees', () => {
  const {app, stack, target} = wordsOf('#colour=module', ['main', 'load']);
  const said = flameSaid(app, stack, target);
  assert.ok(said.startsWith('load; '), said);
  assert.ok(said.endsWith('; level 2; 2 callees'), said);
});

test('the summary follows the heaviest path', () => {
  const {app, stack} = wordsOf('', []);
  assert.ok(flameSummary(app, stack)
                .startsWith('Flame graph: 100 samples. Heaviest: main 100 %, draw 60 %.'));
  app.set({span: [0, 1], threads: []});
  assert.equal(flameSummary(app, stackOf(app)), 'Flame graph: nothing is selected');
});
