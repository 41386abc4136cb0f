// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {isStep} from '../../src/output/html/history.js';

const keys = (...names) => new Set(names);

test('a choice is a step, a search and an order of rows are none', () => {
  for (const key of ['view', 'weight', 'threads', 'span', 'func', 'zoom'])
    assert.ok(isStep(keys(key), keys(), false), key);
  for (const key of ['search', 'sort', 'colour', 'module'])
    assert.ok(!isStep(keys(key), keys(), false), key);
  assert.ok(isStep(keys('search', 'func'), keys(), false));
});

test('many small changes of the time are one step', () => {
  assert.ok(!isStep(keys('span'), keys('span'), true));
  assert.ok(!isStep(keys('span', 'threads'), keys('span'), true));
  assert.ok(isStep(keys('span'), keys('span'), false));
  assert.ok(isStep(keys('span'), keys('view'), true));
});

test('other choices are steps however soon they come', () => {
  assert.ok(isStep(keys('view'), keys('view'), true));
  assert.ok(isStep(keys('func', 'zoom'), keys('func', 'zoom'), true));
});
