// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {App} from '../../src/output/html/app.js';
import {readPayload} from '../../src/output/html/data.js';
import {readHash, writeHash} from '../../src/output/html/state.js';
import {pageSubtitle, selectionText, threadCount} from '../../src/output/html/words.js';

import {payloadOf} from './payload.mjs';

const THREADS = 50;

/** Threads with an entry each in two buckets, whose times are rounded off to 1 µs. */
function roundedApp(hash) {
  const entry = (thread, bucket) =>
      ({thread, bucket, chain: 0, state: 1, samples: 2, wall: 10, cpu: 10});
  const payload = readPayload(payloadOf({
    threads: THREADS,
    buckets: 2,
    chains: [['main']],
    entries: Array.from({length: 2 * THREADS}, (_, i) => entry(i >> 1, i % 2))
  }));
  payload.head.unit_ns = 1000;
  payload.head.totals.wall = payload.head.shown.wall = 1000 * 1000 + 999;
  return new App(payload, hash);
}

test('what is selected is told of all, also where less is missing than there are threads', () => {
  assert.equal(selectionText(roundedApp('')), '200 samples');
  assert.equal(selectionText(roundedApp('#span=0-1')), '100 samples of 200 samples (50 %)');
  assert.equal(selectionText(roundedApp('#threads=1-49')), '196 samples of 200 samples (98 %)');
  assert.equal(selectionText(roundedApp('#states=wait')), '0 samples of 200 samples (0.0 %)');
});

test('of all the exact sum of times is told, of parts that of rounded ones', () => {
  assert.equal(selectionText(roundedApp('#weight=wall')), '1.0 ms');
  assert.equal(selectionText(roundedApp('#weight=wall&span=0-1')), '500 µs of 1.0 ms (50 %)');
});

test('where filters left some out, all that passed is told of all', () => {
  const app = roundedApp('');
  app.head.totals.samples = 201;
  assert.equal(selectionText(app), '200 samples of 201 samples (>99 %)');
});

test('threads of a link are those that there are, each once', () => {
  const {head} = roundedApp('');
  const threads = (text) => readHash(`#threads=${text}`, head).threads;
  assert.deepEqual(threads('3.0-1.3.3'), [0, 1, 3]);
  assert.deepEqual(threads('48-99999999999999999999'), [48, 49]);
  for (const none of ['', 'x', '50', '5-2', '-1', '1e1', '.']) assert.equal(threads(none), null);
  const many = threads(Array(20000).fill('0-48').join('.'));
  assert.equal(many.length, 49);
  assert.equal(writeHash({...readHash('', head), threads: many}, head), '#threads=0-48');
});

test('threads that are not listed by themselves are counted', () => {
  const {head} = roundedApp('');
  head.threads.push({text: '7 more threads', more: 7, samples: 3});
  assert.equal(threadCount(head), THREADS + 7);
  assert.match(pageSubtitle(head), /57 threads/);
});
