// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {readPayload} from '../../src/output/html/data.js';
import {isNoise, Model} from '../../src/output/html/model.js';

import {payloadOf} from './payload.mjs';

/** The same numbers each time. */
function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/** A program with recursion, several threads, states and times. */
function randomProgram(seed) {
  const random = randomOf(seed);
  const chains = Array.from(
      {length: 40}, () => ['main', ...Array.from({length: random(9)}, () => `f${random(6)}`)]);
  const unique = [...new Map(chains.map((chain) => [chain.join(), chain])).values()];
  const entry = (thread) => ({
    thread,
    bucket: random(20),
    chain: random(unique.length),
    state: 1 + random(2),
    samples: 1 + random(3),
    wall: random(1e7),
    cpu: random(5e6)
  });
  const entries = Array.from({length: 300}, () => entry(random(4)));
  entries.sort((a, b) => a.thread - b.thread || a.bucket - b.bucket);
  return {
    threads: 4,
    buckets: 20,
    chains: unique,
    entries,
    base: Array.from({length: 50}, () => entry(0))
  };
}

function modelOf(program) {
  return new Model(readPayload(payloadOf(program)));
}

const ALL = {
  weight: 'samples',
  threads: null,
  first: 0,
  end: Infinity,
  states: null
};

/** What is right, counted sample by sample. */
function count(program, selection, of) {
  const sums = new Map();
  for (const entry of program.entries) {
    if (entry.bucket < selection.first || entry.bucket >= selection.end) continue;
    if (selection.threads && !selection.threads[entry.thread]) continue;
    if (selection.states && !selection.states[entry.state]) continue;
    for (const key of new Set(of(program.chains[entry.chain])))
      sums.set(key, (sums.get(key) ?? 0) + entry[selection.weight]);
  }
  return sums;
}

const SELECTIONS = [
  ALL,
  {...ALL, weight: 'wall'},
  {...ALL, weight: 'cpu', first: 3, end: 11},
  {...ALL, threads: Uint8Array.of(0, 1, 0, 1)},
  {...ALL, states: Uint8Array.of(0, 0, 1), first: 5},
];

test('sums of functions are those counted sample by sample', () => {
  for (let seed = 1; seed < 9; seed++) {
    const program = randomProgram(seed);
    const model = modelOf(program);
    for (const selection of SELECTIONS) {
      const sums = model.sums(selection);
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

test('a change is noise within two standard errors', () => {
  assert.equal(isNoise(50, 100, 52, 100), true);
  assert.equal(isNoise(5000, 10000, 5200, 10000), false);
});
