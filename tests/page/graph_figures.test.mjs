// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {edgeFigures, nodeFigures, placeEdges, weighEdges} from '../../src/output/html/graph_figures.js';
import {figureLines, namedFunctions, readPictureId} from '../../src/output/html/graph_picture.js';

import {count, modelOf, randomOf, randomProgram, SELECTIONS} from './programs.mjs';

const SAMPLES = {
  weight: 'samples',
  sum: 1000,
  carriers: 1000,
  baseSum: null,
  baseCarriers: 0,
  hasCalls: false
};

/** Calls of a chain when only some of its functions are shown, as a picture's arrows have them. */
function shownCalls(chain, shown) {
  const pairs = [];
  let top = null;
  let gap = false;
  for (const name of chain) {
    if (!shown.has(name)) {
      gap = true;
      continue;
    }
    if (top !== null && !(gap && top === name)) pairs.push(`${top}>${name}`);
    top = name;
    gap = false;
  }
  return pairs;
}

test('arrows weigh what they weigh counted sample by sample, with functions left out', () => {
  for (let seed = 1; seed < 9; seed++) {
    const program = randomProgram(seed);
    const model = modelOf(program);
    const random = randomOf(seed);
    const shown = [...Array(model.functionCount).keys()].filter(() => random(3) > 0);
    const names = new Set(shown.map((func) => model.functionName(func)));
    const edges = shown.flatMap((from) => shown.map((to) => [from, to]));
    const places = placeEdges(model, shown, edges);
    for (const selection of SELECTIONS) {
      const {weight} = weighEdges(places, model.sums(selection), edges.length);
      const right = count(program, selection, (chain) => shownCalls(chain, names));
      edges.forEach(([from, to], i) => {
        const pair = `${model.functionName(from)}>${model.functionName(to)}`;
        assert.equal(weight[i], right.get(pair) ?? 0, pair);
      });
    }
  }
});

test('calls of an arrow are those on it, each time', () => {
  const program = {
    threads: 1,
    chains: [['main'], ['main', 'a'], ['main', 'a', 'a'], ['main', 'a', 'a', 'b']],
    entries: [3, 5, 7, 11].map(
        (samples, chain) => ({thread: 0, chain, state: 1, samples, wall: 0, cpu: 0}))
  };
  const model = modelOf(program);
  const at = (name) => model.head.functions.name.indexOf(name);
  const edges = [['main', 'a'], ['a', 'a'], ['a', 'b']].map((pair) => pair.map(at));
  const places = placeEdges(model, [0, 1, 2], edges);
  const {calls, weight} = weighEdges(places, model.sums({...SELECTIONS[0]}), edges.length);
  assert.deepEqual([...calls], [5, 7, 11]);
  assert.deepEqual([...weight], [23, 18, 11]);
});

test('boxes say total and self as the picture of the whole does', () => {
  const lines = (self, total, isThread = false) =>
      nodeFigures(SAMPLES, {self, total, baseTotal: 0, isThread}).lines;
  assert.deepEqual(lines(123, 451), ['45.1% (451)', 'self 12.3% (123)']);
  assert.deepEqual(lines(451, 451), ['45.1% (451) self']);
  assert.deepEqual(lines(451, 451, true), ['45.1% (451)', 'self 45.1% (451)']);
  assert.deepEqual(lines(0, 451), ['45.1% (451)']);
  assert.deepEqual(lines(0, 0), ['']);
  const calls = {...SAMPLES, weight: 'calls', hasCalls: true};
  assert.deepEqual(
      nodeFigures(calls, {self: 1, total: 451, baseTotal: 0, isThread: false}).lines, ['1 call']);
});

test('boxes say how their share changed', () => {
  const context = {...SAMPLES, baseSum: 500, baseCarriers: 500};
  const figures = nodeFigures(context, {self: 0, total: 451, baseTotal: 50, isThread: false});
  assert.deepEqual(figures.lines, ['45.1% (451)', '+35.10%, was 10.00% (50)']);
  const noise = nodeFigures(context, {self: 0, total: 101, baseTotal: 50, isThread: false});
  assert.deepEqual(noise.lines, ['10.1% (101)', '+0.10%~, was 10.00% (50)']);
  assert.equal(noise.fill, '#f4f4f4');
});

// Shares of 24550 samples with the colours and widths that `cgunwind -f svg` gave them.
test('colours and widths are those of the picture of the whole', () => {
  const context = {...SAMPLES, sum: 24550, carriers: 24550};
  const drawn = [
    [24550, '#f39070', '#b2341c', 5], [24059, '#f39372', '#b2371c', 4.91],
    [19640, '#f7af87', '#b95224', 4.12], [4341, '#f5ecdb', '#9f8c77', 1.37],
    [2946, '#f4eee4', '#998f83', 1.12], [1473, '#f3f1ed', '#929190', 0.86],
    [491, '#f2f3f3', '#8e9399', 0.68], [0, '#f2f4f7', '#8c949e', 0.6]
  ];
  for (const [weight, fill, line, width] of drawn) {
    const node = nodeFigures(context, {self: 0, total: weight, baseTotal: 0, isThread: false});
    assert.deepEqual([node.fill, node.line], [fill, line]);
    const edge = edgeFigures(context, {weight, calls: 0, base: 0});
    assert.deepEqual(edge, {label: weight ? String(weight) : '', width, line});
  }
});

test('arrows of a comparison are as wide as the greater share', () => {
  const context = {...SAMPLES, baseSum: 500, baseCarriers: 500};
  const edge = edgeFigures(context, {weight: 0, calls: 0, base: 250});
  assert.deepEqual([edge.label, edge.width], ['-50.00%', 2.8]);
});

test('lines of figures are found below any name', () => {
  assert.equal(figureLines(['main', '45.1% (451)', 'self 12.3% (123)']), 2);
  assert.equal(figureLines(['main', '45.1% (451) self']), 1);
  assert.equal(figureLines(['self 1.0% (1)', '45.1% (451)']), 1);
  assert.equal(figureLines(['a', '9.0% (9)', 'self 1.0% (1)', '+3.21%, was 41.90% (99)']), 3);
  assert.equal(figureLines(['a', '9.0% (9)', '-3.21%~, was 41.90% (99)']), 2);
  assert.equal(figureLines(['2 calls']), 1);
  assert.equal(figureLines([]), 0);
});

test('lines name the functions of a run', () => {
  assert.deepEqual(namedFunctions(2, [7]), [7, 7]);
  assert.deepEqual(namedFunctions(3, [7, 8, 9]), [7, 8, 9]);
  assert.deepEqual(namedFunctions(5, [1, 2, 3, 4, 5, 6, 7]), [1, 2, 3, -1, 7]);
});

test('identifiers that are none are not taken for some', () => {
  assert.deepEqual(readPictureId('n12_3', 'n', 20), [12, 3]);
  assert.equal(readPictureId('node1', 'n', 20), null);
  assert.equal(readPictureId('n20', 'n', 20), null);
  assert.equal(readPictureId('n1_', 'n', 20), null);
  assert.deepEqual(readPictureId('e1_2', 'e', 20), [1, 2]);
});
