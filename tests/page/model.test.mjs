// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {changeOf} from '../../src/output/html/model.js';

import {ALL, count, modelOf, randomProgram, SELECTIONS} from './programs.mjs';

test('sums of functions are those counted sample by sample', () => {
  for (let seed = 1; seed < 9; seed++) {
    const program = randomProgram(seed);
    const model = modelOf(program);
    for (const selection of SELECTIONS) {
      const sums = model.sums(selection);
      assert.deepEqual(model.weighInnermost(selection), sums.functionSelf);
      const self = count(program, selection, (chain) => [chain.at(-1)]);
      const total = count(program, selection, (chain) => chain);
      for (let func = 0; func < model.functionCount; func++) {
        const name = model.functionName(func);
        assert.equal(sums.functionSelf[func], self.get(name) ?? 0, name);
        assert.equal(sums.functionTotal[func], total.get(name) ?? 0, name);
      }
    }
  }
});

test('callers and callees count each sample once', () => {
  for (let seed = 1; seed < 9; seed++) {
    const program = randomProgram(seed);
    const model = modelOf(program);
    const sums = model.sums(ALL);
    const pairs = count(program, ALL, (chain) => chain.slice(1).map((f, i) => `${chain[i]}>${f}`));
    for (let func = 0; func < model.functionCount; func++) {
      const name = model.functionName(func);
      const {callers, callees} = model.neighbours(func, sums);
      for (let other = 0; other < model.functionCount; other++) {
        const otherName = model.functionName(other);
        assert.equal(callers.get(other) ?? 0, pairs.get(`${otherName}>${name}`) ?? 0);
        assert.equal(callees.get(other) ?? 0, pairs.get(`${name}>${otherName}`) ?? 0);
      }
    }
  }
});

test('the fold has one node for each path of functions', () => {
  const program = randomProgram(3);
  const model = modelOf(program);
  const paths =
      new Set(program.chains.flatMap((chain) => chain.map((_, i) => chain.slice(0, i + 1).join())));
  assert.equal(model.fold.count, paths.size + 1);
});

test('off-CPU time comes back from what is stored of it', () => {
  const program = randomProgram(4);
  const model = modelOf(program);
  const off = program.entries.filter((entry) => entry.state === 2)
                  .reduce((sum, entry) => sum + Math.max(0, entry.wall - entry.cpu), 0);
  assert.equal(model.sums({...ALL, weight: 'offcpu'}).sum, off);
});

test('the baseline is summed by itself', () => {
  const program = randomProgram(5);
  const model = modelOf(program);
  const sums = model.baseSums({...ALL, weight: 'cpu'});
  assert.equal(sums.sum, program.base.reduce((sum, entry) => sum + entry.cpu, 0));
});

test('a change has its points, and is noise where as many samples may differ by as much', () => {
  const side = (sum, carriers = sum) => ({sum, carriers});
  const of = (value, now, base, before) => changeOf(value, now, base, before);
  assert.deepEqual(of(50, side(100), 40, side(100)), {points: 1000, noise: true});
  assert.deepEqual(of(5e5, side(1e6), 4e5, side(1e6)), {points: 1000, noise: false});
  assert.deepEqual(of(5e8, side(1e9, 100), 4e8, side(1e9, 100)), {points: 1000, noise: true});
  assert.deepEqual(of(50, side(100, 0), 40, side(100, 0)), {points: 1000, noise: false});
  assert.deepEqual(of(50, side(100), 50, side(100)), {points: 0, noise: false});
  assert.deepEqual(of(1, side(0), 3, side(4)), {points: -7500, noise: false});
  assert.deepEqual(of(1, side(4), 1, side(2)), {points: -2500, noise: true});
});

test('as many samples stand for a part of a weight as the part is', () => {
  const model = modelOf(randomProgram(3));
  model.head.carriers = {cpu: 40};
  model.head.totals = {cpu: 2 * model.sums({...ALL, weight: 'cpu'}).sum};
  assert.equal(model.sums({...ALL, weight: 'cpu'}).carriers, 20);
  assert.equal(model.sums({...ALL, weight: 'wall'}).carriers, 0);
  const samples = model.sums({...ALL, weight: 'samples'});
  assert.equal(samples.carriers, samples.sum);
});
