// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {App} from '../../src/output/html/app.js';
import {readPayload} from '../../src/output/html/data.js';

import {payloadOf} from './payload.mjs';
import {ALL} from './programs.mjs';

/** Weights of chains; `handle` is divided in three, one of which is in a chain with another. */
const CHAINS = [
  [['main', 'handle [k=A]', 'work'], 5], [['main', 'handle [k=B]', 'work'], 7],
  [['main', 'handle [k=B]', 'handle [k=C]'], 11], [['main', 'idle'], 13]
];

function payload() {
  const entries = CHAINS.map(
      ([, samples], chain) =>
          ({thread: 0, bucket: chain, chain, state: 1, samples, wall: 0, cpu: 0}));
  const made = readPayload(
      payloadOf({threads: 1, buckets: 4, chains: CHAINS.map(([chain]) => chain), entries}));
  const {name, module} = made.head.functions;
  const whole = name.push('handle') - 1;
  module.push(module[0]);
  const parts = name.map((text, i) => (text.startsWith('handle [') ? i : -1)).filter((i) => i >= 0);
  made.head.functions.whole = Object.fromEntries(parts.map((part) => [part, whole]));
  made.head.texts = ['handle [k=A]', 'idle', 'handle [k=B]'];
  return made;
}

const funcOf = (app, name) => app.head.functions.name.indexOf(name);

function totals(app) {
  const {functionTotal} = app.model.sums(ALL);
  return Object.fromEntries(app.head.functions.name.map((name, i) => [name, functionTotal[i]])
                                .filter(([, total]) => total > 0));
}

const DIVIDED = {
  main: 36,
  'handle [k=A]': 5,
  'handle [k=B]': 18,
  'handle [k=C]': 11,
  work: 12,
  idle: 13
};
const WHOLE = {
  main: 36,
  handle: 23,
  work: 12,
  idle: 13
};

test('parts put together count each sample once, and come apart again', () => {
  const app = new App(payload(), '');
  assert.deepEqual(totals(app), DIVIDED);
  app.set({divided: false});
  assert.deepEqual(totals(app), WHOLE);
  assert.equal(app.hash(), '#divided=0');
  assert.deepEqual(totals(new App(payload(), '#divided=0')), WHOLE);
  app.set({divided: true});
  assert.deepEqual(totals(app), DIVIDED);
  assert.equal(app.hash(), '');
});

test('what is marked and zoomed goes along', () => {
  const app = new App(payload(), '');
  const changes = [];
  app.onChange((changed) => changes.push([...changed].sort().join()));
  app.set({func: funcOf(app, 'handle [k=A]')});
  app.set({zoom: [funcOf(app, 'main'), funcOf(app, 'handle [k=A]')]});
  app.set({divided: false});
  assert.equal(app.state.func, funcOf(app, 'handle'));
  assert.deepEqual(app.state.zoom, [funcOf(app, 'main'), funcOf(app, 'handle')]);
  app.set({divided: true});
  assert.equal(app.state.func, funcOf(app, 'handle [k=B]'), 'the heaviest part');
  assert.deepEqual(app.state.zoom, [funcOf(app, 'main')]);
  assert.deepEqual(changes, ['func', 'zoom', 'divided,func,zoom', 'divided,func,zoom']);
});

test('a link may have a part of what is whole, and a whole of what is divided', () => {
  const part = funcOf(new App(payload(), ''), 'handle [k=A]');
  const whole = funcOf(new App(payload(), ''), 'handle');
  assert.equal(new App(payload(), `#divided=0&func=${part}`).state.func, whole);
  const app = new App(payload(), `#func=${whole}`);
  assert.equal(app.state.func, funcOf(app, 'handle [k=B]'));
});

test('texts of pieces that are equal then are one', () => {
  const app = new App(payload(), '');
  let places = null;
  app.model.division.followTexts((given) => {
    places = given;
  });
  assert.equal(places, null);
  app.set({divided: false});
  assert.deepEqual([...places], [0, 1, 2, 1]);
  assert.deepEqual(app.head.texts, ['handle', 'idle', 'handle']);
  app.set({divided: true});
  assert.equal(places, null);
  assert.equal(app.head.texts[2], 'handle [k=B]');
});

test('where nothing is divided there is no choice', () => {
  const plain = readPayload(payloadOf({
    threads: 1,
    chains: [['main']],
    entries: [{thread: 0, chain: 0, state: 1, samples: 1, wall: 1, cpu: 1}]
  }));
  const app = new App(plain, '#divided=0');
  assert.equal(app.model.division.exists(), false);
  assert.deepEqual(totals(app), {main: 1});
});
