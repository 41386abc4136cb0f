// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {callPlacesOf, chainsWith, heaviestPath, neighboursOf, threadsOf, trustsOf} from '../../src/output/html/sandwich.js';

import {ALL, count, modelOf, randomProgram, SELECTIONS} from './programs.mjs';

/** For each of some programs, selections and their functions. */
function each(check) {
  for (let seed = 1; seed < 7; seed++) {
    const program = randomProgram(seed);
    const model = modelOf(program);
    for (const selection of SELECTIONS) {
      const sums = model.sums(selection);
      for (let func = 0; func < model.functionCount; func++)
        check({program, model, selection, sums, func, name: model.functionName(func)});
    }
  }
}

function isFalling(list) {
  return list.every(({weight}, i) => i === 0 || weight <= list[i - 1].weight);
}

test('callers and callees come heaviest first, each with its weight', () => {
  each(({program, model, selection, sums, func, name}) => {
    const pairs =
        count(program, selection, (chain) => chain.slice(1).map((f, i) => `${chain[i]}>${f}`));
    const {callers, callees, first} = neighboursOf(model, func, sums);
    const right =
        (has) => [...pairs].filter(([pair, weight]) => has(pair.split('>')) && weight > 0).length;
    assert.equal(callers.length, right(([, callee]) => callee === name));
    assert.equal(callees.length, right(([caller]) => caller === name));
    for (const {func: other, weight} of callers)
      assert.equal(weight, pairs.get(`${model.functionName(other)}>${name}`));
    for (const {func: other, weight} of callees)
      assert.equal(weight, pairs.get(`${name}>${model.functionName(other)}`));
    assert.ok(isFalling(callers) && isFalling(callees));
    assert.equal(first, count(program, selection, (chain) => [chain[0]]).get(name) ?? 0);
  });
});

test('threads of a function are those whose samples it is in', () => {
  each(({program, model, selection, func, name}) => {
    const right =
        count(program, selection, (chain, {thread}) => (chain.includes(name) ? [thread] : []));
    const threads = threadsOf(model, func, selection);
    assert.ok(isFalling(threads));
    assert.deepEqual(
        new Map(threads.map(({thread, weight}) => [thread, weight])),
        new Map([...right].filter(([, weight]) => weight > 0)));
  });
});

test('weights by thread add up to the total', () => {
  each(({model, selection, sums, func}) => {
    const sum = threadsOf(model, func, selection).reduce((all, {weight}) => all + weight, 0);
    assert.equal(sum, sums.functionTotal[func]);
  });
});

test('each sample counts once for each way its frames were found', () => {
  each(({model, sums, func}) => {
    // In these programs all frames of a function are found in the same way.
    const trusts = trustsOf(model, func, sums);
    const total = sums.functionTotal[func];
    assert.deepEqual(trusts, total > 0 ? [{trust: func % 3, weight: total}] : []);
  });
});

test('of a recursive function found in two ways each is told', () => {
  const program = {
    threads: 1,
    chains: [['main', 'a', 'b', 'a'], ['main', 'a']],
    entries: [
      {thread: 0, chain: 0, state: 1, samples: 5, wall: 0, cpu: 0},
      {thread: 0, chain: 1, state: 1, samples: 2, wall: 0, cpu: 0}
    ]
  };
  const model = modelOf(program);
  const a = model.head.functions.name.indexOf('a');
  // The inner one gets a frame of its own.
  const inner = model.nodesOf(a)[1];
  model.trie.frame[inner] = model.frames.trust.length;
  model.frames.trust = Uint8Array.from([...model.frames.trust, 2]);
  assert.deepEqual(
      trustsOf(model, a, model.sums(ALL)), [{trust: 1, weight: 7}, {trust: 2, weight: 5}]);
});

test('the heaviest path leads to the function, on chains that there are', () => {
  each(({program, model, selection, sums, func, name}) => {
    const path = heaviestPath(model, func, sums).map((f) => model.functionName(f));
    assert.equal(path.at(-1), name);
    const prefixes =
        count(program, selection, (chain) => chain.map((_, i) => chain.slice(0, i + 1).join()));
    const ends = [...prefixes].filter(([prefix]) => prefix.split(',').at(-1) === name);
    const most = ends.reduce((max, [, weight]) => Math.max(max, weight), 0);
    assert.equal(prefixes.get(path.join()) ?? 0, most);
  });
});

test('chains with a function', () => {
  const program = randomProgram(5);
  const model = modelOf(program);
  for (let func = 0; func < model.functionCount; func++)
    assert.deepEqual(
        [...chainsWith(model, func)],
        program.chains.map((chain) => Number(chain.includes(model.functionName(func)))));
});

test('a caller calls at the line that has most weight', () => {
  each(({model, sums, func}) => {
    const places = callPlacesOf(model, func, sums);
    const {callers} = neighboursOf(model, func, sums);
    const known = new Map(callers.map(({func: caller}) => [caller, new Map()]));
    for (const node of model.nodesOf(func)) {
      const outer = model.trie.parent[node];
      const caller = model.functionOf[outer];
      if (outer === 0 || model.isPairOutside(node, caller) || !known.has(caller)) continue;
      const lines = known.get(caller);
      const place = model.place(model.trie.frame[outer]);
      lines.set(place, (lines.get(place) ?? 0) + sums.total[node]);
    }
    for (const [caller, lines] of known) {
      lines.delete('');
      const most = Math.max(0, ...lines.values());
      assert.equal(lines.get(places.get(caller)) ?? 0, most);
    }
    assert.ok([...places.keys()].every((caller) => known.has(caller)));
  });
});
