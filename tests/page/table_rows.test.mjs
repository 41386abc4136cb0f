// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {listModules, listRows, nextSort, readSort, rowsInSight, tableColumns} from '../../src/output/html/table_rows.js';

import {ALL, count, modelOf, randomProgram, SELECTIONS} from './programs.mjs';

function sourceOf(model, selection, more = {}) {
  const sums = model.sums(selection);
  return {
    sums,
    now: sums,
    base: null,
    weight: selection.weight,
    matches: null,
    module: null,
    ...more
  };
}

function namesOf(model, rows) {
  return [...rows].map((func) => model.functionName(func));
}

test('rows are the functions with a weight, the heaviest self first, then total, then name', () => {
  for (let seed = 1; seed < 9; seed++) {
    const program = randomProgram(seed);
    const model = modelOf(program);
    for (const selection of SELECTIONS) {
      const self = count(program, selection, (chain) => [chain.at(-1)]);
      const total = count(program, selection, (chain) => chain);
      const right = [...total.keys()].filter((name) => total.get(name) > 0).sort((a, b) => {
        return (self.get(b) ?? 0) - (self.get(a) ?? 0) || total.get(b) - total.get(a) ||
            (a < b ? -1 : 1);
      });
      const {rows, all} = listRows(model, sourceOf(model, selection), 'self');
      assert.deepEqual(namesOf(model, rows), right);
      assert.equal(all, right.length);
    }
  }
});

test('each column sorts both ways', () => {
  const program = randomProgram(3);
  const model = modelOf(program);
  const source = sourceOf(model, ALL);
  const total = count(program, ALL, (chain) => chain);
  const byTotal = namesOf(model, listRows(model, source, 'total').rows);
  const weights = byTotal.map((name) => total.get(name));
  assert.deepEqual(weights, [...weights].sort((a, b) => b - a));
  const rising = namesOf(model, listRows(model, source, '-total').rows);
  assert.deepEqual(rising.map((name) => total.get(name)), [...weights].sort((a, b) => a - b));
  const byName = namesOf(model, listRows(model, source, '-function').rows);
  assert.deepEqual(byName, [...byTotal].sort());
  assert.deepEqual(namesOf(model, listRows(model, source, 'function').rows), [...byName].reverse());
  const modules = [...listRows(model, source, '-module').rows].map((f) => model.moduleOf(f).name);
  assert.deepEqual(modules, [...modules].sort());
});

test('functions that are equal stay in the order of their weights', () => {
  const model = modelOf(randomProgram(6));
  const source = sourceOf(model, ALL);
  const bySelf = namesOf(model, listRows(model, source, 'self').rows);
  const byModule = listRows(model, source, '-module').rows;
  for (const module of [0, 1]) {
    const inside =
        namesOf(model, byModule.filter((f) => model.head.functions.module[f] === module));
    assert.deepEqual(inside, bySelf.filter((name) => inside.includes(name)));
  }
});

test('search and module leave rows out, and how many there are is still known', () => {
  const model = modelOf(randomProgram(2));
  const matches = Uint8Array.from({length: model.functionCount}, (_, func) => func % 2);
  const all = listRows(model, sourceOf(model, ALL), 'self');
  const found = listRows(model, sourceOf(model, ALL, {matches}), 'self');
  assert.deepEqual([...found.rows], [...all.rows].filter((func) => func % 2));
  assert.equal(found.all, all.rows.length);
  const inside = listRows(model, sourceOf(model, ALL, {module: 1}), 'self');
  assert.deepEqual(
      [...inside.rows], [...all.rows].filter((func) => model.head.functions.module[func] === 1));
});

test('with a baseline, what is in either has a row, and sorts by how its share changed', () => {
  const program = randomProgram(4);
  const now = {...ALL, first: 2, end: 4};
  const model = modelOf(program);
  const base = model.baseSums(now);
  const source = sourceOf(model, now, {base});
  const {rows} = listRows(model, source, 'totalchange');
  const total = count(program, now, (chain) => chain);
  const before = count(program, now, (chain) => chain, program.base);
  assert.deepEqual(
      namesOf(model, rows).sort(), [...new Set([...total.keys(), ...before.keys()])].sort());
  const sum = source.sums.sum;
  const exact =
      namesOf(model, rows)
          .map((name) => (total.get(name) ?? 0) / sum - (before.get(name) ?? 0) / base.sum);
  for (let i = 1; i < exact.length; i++) assert.ok(exact[i] <= exact[i - 1] + 1e-4);
});

test('a click on a column begins with the greatest number, or the first name', () => {
  const columns = tableColumns(false);
  const column = (id) => columns.find((one) => one.id === id);
  assert.equal(nextSort('self', column('total'), columns), 'total');
  assert.equal(nextSort('total', column('total'), columns), '-total');
  assert.equal(nextSort('-total', column('total'), columns), 'total');
  assert.equal(nextSort('self', column('function'), columns), '-function');
  assert.equal(nextSort('-function', column('function'), columns), 'function');
  assert.equal(readSort('selfchange', columns).column.id, 'self');
});

test('modules are in the order of what is spent in them', () => {
  const program = randomProgram(7);
  const model = modelOf(program);
  const names = [...Array(model.functionCount).keys()].map((func) => model.functionName(func));
  const self = count(program, ALL, (chain) => [names.indexOf(chain.at(-1)) % 2]);
  const modules = listModules(model, model.sums(ALL));
  for (const {module, self: weight} of modules) assert.equal(weight, self.get(module) ?? 0);
  assert.ok(modules[0].self >= modules[1].self);
});

test('rows in sight end with the table', () => {
  assert.deepEqual(rowsInSight(0, 260, 26, 1000, 5), [0, 15]);
  assert.deepEqual(rowsInSight(2600, 260, 26, 1000, 5), [95, 115]);
  assert.deepEqual(rowsInSight(25900, 260, 26, 1000, 5), [991, 1000]);
  assert.deepEqual(rowsInSight(9000, 260, 26, 3, 5), [3, 3]);
  assert.deepEqual(rowsInSight(0, 260, 26, 0, 5), [0, 0]);
});
