// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {greatestChanges, lostText, rateText, sideRows} from '../../src/output/html/overview_change.js';

test('both sides are told apart', () => {
  const head = {
    quality: {samples: 300, asked_hz: 199, reached_hz: 121.44, lost: {}},
    base: {duration_ns: 2e9, asked_hz: 99, reached_hz: 44.1, lost: {'no memory': 3}},
    captures: [{name: 'now.bin'}, {name: 'base.bin', base: true}, {name: 'base.bin', base: true}],
    duration_ns: 1500000000,
    totals: {samples: 100, cpu: 5e8},
    base_totals: {samples: 200, cpu: 7e8},
  };
  assert.deepEqual(sideRows({head, state: {weight: 'cpu'}}), [
    ['Inputs', 'now.bin', 'base.bin'],
    ['Length', '1.500 s', '2.000 s'],
    ['Rate', '121.4 of 199.0 Hz', '44.1 of 99.0 Hz'],
    ['Samples', '100', '200'],
    ['Lost', '', '3 (no memory)'],
    ['CPU time', '500.0 ms', '700.0 ms'],
  ]);
  assert.equal(sideRows({head, state: {weight: 'samples'}}).length, 5);
  assert.equal(rateText({}), '');
  assert.equal(lostText({}), '');
});

test('what changed most comes first, and noise not at all', () => {
  const side = (functionSelf) => ({functionSelf, sum: 1000, carriers: 1000});
  const now = side([400, 100, 300, 200]);
  const base = side([100, 101, 600, 199]);
  const changes = (matches) =>
      greatestChanges({functionCount: 4}, now, base, matches).map(({func,
                                                                    points}) => [func, points]);
  assert.deepEqual(changes(null), [[0, 3000], [2, -3000]]);
  assert.deepEqual(changes([0, 1, 1, 1]), [[2, -3000]]);
});
