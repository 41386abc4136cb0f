// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {innermostOf, textsOfChains} from '../../src/output/html/time_innermost.js';

/** main calls journal, which calls fsync and nanosleep; main calls fsync, too. */
const MODEL = {
  head: {time: {bucket_ns: 100, buckets: 10}},
  functionCount: 4,  // main, journal, fsync, nanosleep
  functionOf: [-1, 0, 1, 2, 3, 2],
  trie: {count: 6, parent: [0, 0, 1, 2, 2, 1]},
  chainLeaf: [3, 4, 5, 2],
  entries: {
    start: [0, 5],
    bucket: [0, 1, 1, 3, 4],
    chain: [0, 1, 2, 1, 3],
    weight: {samples: [2, 1, 9, 3, 1]},
  },
};
const MAIN = 1;
const JOURNAL = 2;
const TEXTS = [-1, 0, 1];
const PIECES = {
  begin: [0, 100, 300, 400, 0],
  end: [100, 200, 400, 500, 500],
  text: [JOURNAL, JOURNAL, JOURNAL, JOURNAL, MAIN],
};

function innermost(...pieces) {
  return innermostOf(MODEL, PIECES, textsOfChains(MODEL, TEXTS), 0, pieces);
}

test('a chain has the text of its innermost function that has one', () => {
  assert.deepEqual(Array.from(textsOfChains(MODEL, TEXTS)), [JOURNAL, JOURNAL, MAIN, JOURNAL]);
});

test('the innermost function is that of most samples within the pieces', () => {
  assert.equal(innermost(0), 2);
  assert.equal(innermost(1), 3);
  assert.equal(innermost(0, 1), 2);
  assert.equal(innermost(0, 1, 2), 3);
  assert.equal(innermost(3), 1);
  assert.equal(innermost(4), 2);
});

test('none has most where two have as many, and none without samples', () => {
  const even = {...MODEL.entries, weight: {samples: [1, 1, 9, 3, 1]}};
  const chainTexts = textsOfChains(MODEL, TEXTS);
  assert.equal(innermostOf({...MODEL, entries: even}, PIECES, chainTexts, 0, [0, 1]), -1);
  assert.equal(innermost(), -1);
});
