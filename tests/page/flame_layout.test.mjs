// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {readPayload} from '../../src/output/html/data.js';
import {FLAME_NARROW, FlameLayout} from '../../src/output/html/flame_layout.js';
import {FlameStack, threadKinds} from '../../src/output/html/flame_stack.js';
import * as weights from '../../src/output/html/flame_weights.js';
import {Model} from '../../src/output/html/model.js';

import {payloadOf} from './payload.mjs';
import {ALL, randomOf} from './programs.mjs';

/**
 * Whether a layout is whole: its root is as wide as the selection weighs, what is below a frame is
 * within it and no more than it. @returns {string} what is wrong, or ''
 */
function flameProblem(layout, sum) {
  if (layout.weight[0] !== sum) return `the root has ${layout.weight[0]} of ${sum}`;
  const below = new Float64Array(layout.count);
  for (let rect = 1; rect < layout.count; rect++) {
    const parent = layout.parent[rect];
    below[parent] += layout.weight[rect];
    if (layout.start[rect] < layout.start[parent] ||
        layout.start[rect] + layout.width(rect) > layout.start[parent] + layout.width(parent))
      return `rectangle ${rect} is not within ${parent}`;
  }
  for (let rect = 0; rect < layout.count; rect++)
    if (below[rect] > layout.weight[rect]) return `what is below ${rect} weighs more than it`;
  return '';
}

const {foldTrust, foldWeights, heaviestPlace, weighTrusts} = weights;

/** So wide that nothing is too narrow. */
const WIDE = 1e9;

/** Recursion, weights from one sample to thousands, six threads of three kinds, a baseline. */
function randomProgram(seed) {
  const random = randomOf(seed);
  const lists = Array.from(
      {length: 60}, () => ['main', ...Array.from({length: random(8)}, () => `f${random(7)}`)]);
  const chains = [...new Map(lists.map((chain) => [chain.join(), chain])).values()];
  const entry = (thread) => ({
    thread,
    bucket: random(10),
    chain: random(chains.length),
    state: 1 + random(2),
    samples: 1 + random(3) ** 5,
    wall: random(1e7),
    cpu: random(5e6)
  });
  const entries = Array.from({length: 400}, () => entry(random(6)));
  entries.sort((a, b) => a.thread - b.thread || a.bucket - b.bucket);
  return {threads: 6, buckets: 10, chains, entries, base: Array.from({length: 90}, () => entry(0))};
}

function modelOf(program) {
  const payload = readPayload(payloadOf(program));
  payload.head.threads.forEach((thread, i) => (thread.node = i % 3));
  payload.head.hierarchy = ['main', 'pool', 'io'].map((name) => ({parent: -1, pid: 7, name}));
  return new Model(payload);
}

/** What each path of functions weighs, sample by sample; `inverted`: from the innermost on. */
function weighPaths(program, entries, inverted) {
  const paths = new Map();
  for (const entry of entries) {
    const chain = program.chains[entry.chain];
    const list = inverted ? [...chain].reverse() : chain;
    for (let length = 1; length <= list.length; length++) {
      const key = list.slice(0, length).join(' ');
      paths.set(key, (paths.get(key) ?? 0) + entry.samples);
    }
  }
  return paths;
}

function pathName(model, layout, rect) {
  return layout.pathOf(rect).map((func) => model.functionName(func)).join(' ');
}

/** The same of a layout. */
function readPaths(model, layout, of = layout.weight) {
  const paths = new Map();
  for (let rect = 1; rect < layout.count; rect++) {
    assert.notEqual(layout.func[rect], FLAME_NARROW);
    const name = pathName(model, layout, rect);
    assert.ok(!paths.has(name), `${name} is there twice`);
    paths.set(name, of[rect]);
  }
  return paths;
}

function sorted(map) {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function layoutOf(model, selection, how = {}) {
  const sums = model.sums(selection);
  const layout = new FlameLayout(model, foldWeights(model, sums), {pixels: WIDE, ...how});
  return layout.grow(Infinity);
}

for (const invert of [false, true]) {
  const name = invert ? 'inverted' : 'root first';

  test(`${name}: a frame is as wide as the samples of its path`, () => {
    for (let seed = 1; seed < 7; seed++) {
      const program = randomProgram(seed);
      const model = modelOf(program);
      const layout = layoutOf(model, ALL, {invert});
      const expected = weighPaths(program, program.entries, invert);
      assert.deepEqual(sorted(readPaths(model, layout)), sorted(expected));
      assert.equal(flameProblem(layout, model.sums(ALL).sum), '');
    }
  });

  test(`${name}: a layout is whole for any selection, width and zoom`, () => {
    const program = randomProgram(9);
    const model = modelOf(program);
    const [main, other] = invert ? [layoutOf(model, ALL, {invert}).func[1], 0] : [0, 1];
    for (const selection
             of [ALL, {...ALL, weight: 'wall', first: 2, end: 5},
                 {...ALL, threads: Uint8Array.of(0, 0, 1, 0, 0, 1)},
                 {...ALL, states: Uint8Array.of(0, 1, 0), weight: 'cpu'}])
      for (const pixels of [1, 7, 40, 300, WIDE])
        for (const zoom of [[], [main], [main, other]]) {
          const layout = layoutOf(model, selection, {pixels, invert, zoom});
          assert.equal(flameProblem(layout, model.sums(selection).sum), '');
        }
  });

  test(`${name}: what is too narrow is summed up behind its siblings`, () => {
    const program = randomProgram(3);
    const model = modelOf(program);
    const wide = layoutOf(model, ALL, {invert});
    const layout = layoutOf(model, ALL, {invert, pixels: 60});
    const least = layout.scale / 60 / 2;
    let narrows = 0;
    for (let rect = 0; rect < layout.count; rect++) {
      if (layout.func[rect] === FLAME_NARROW) {
        narrows++;
        assert.deepEqual(layout.childrenOf(rect).map((end, i, ends) => end - ends[0]), [0, 0]);
        continue;
      }
      assert.ok(layout.weight[rect] >= least);
      const whole = wide.find(layout.pathOf(rect));
      const children = (of, at) => {
        const [first, end] = of.childrenOf(at);
        return Array.from({length: end - first}, (_, i) => first + i);
      };
      const all = children(wide, whole).map((child) => wide.weight[child]);
      const shown = children(layout, rect);
      const tooNarrow = all.filter((weight) => weight < least);
      const kept = shown.filter((child) => layout.func[child] !== FLAME_NARROW);
      const rest = shown.filter((child) => layout.func[child] === FLAME_NARROW);
      assert.deepEqual(
          kept.map((child) => layout.weight[child]), all.filter((weight) => weight >= least));
      assert.equal(rest.length, tooNarrow.length ? 1 : 0);
      if (!rest.length) continue;
      assert.equal(rest[0], shown.at(-1));
      assert.equal(layout.members[rest[0]], tooNarrow.length);
      assert.equal(layout.weight[rest[0]], tooNarrow.reduce((sum, weight) => sum + weight, 0));
    }
    assert.ok(narrows > 5);
  });

  test(`${name}: one rectangle stands for all that are too narrow`, () => {
    const chains = Array.from({length: 50}, (_, i) => [`outer${i}`, 'middle', `inner${i}`]);
    const list = (samples) => chains.map(
        (_, chain) =>
            ({thread: 0, bucket: 0, chain, state: 1, samples: samples(chain), wall: 0, cpu: 0}));
    const entries = list((chain) => (chain ? chain : 100000));
    const model = modelOf({threads: 1, chains, entries, base: list(() => 2)});
    const other = foldWeights(model, model.baseSums(ALL));
    const layout = layoutOf(model, ALL, {pixels: 30, invert, other});
    const narrow = layout.func.indexOf(FLAME_NARROW);
    assert.equal(layout.members[narrow], 49);
    assert.equal(layout.weight[narrow], (49 * 50) / 2);
    assert.equal(layout.other[narrow], 98);
    assert.equal(layout.start[narrow], 100000);
  });

  test(
      `${name}: zoomed in, below the frame is what was below it, above it what leads there`, () => {
        const program = randomProgram(4);
        const model = modelOf(program);
        const wide = layoutOf(model, ALL, {invert});
        for (let target = 1; target < wide.count; target += 7) {
          const zoom = wide.pathOf(target);
          const layout = layoutOf(model, ALL, {invert, zoom});
          assert.ok(layout.isFound);
          assert.equal(layout.above, zoom.length);
          assert.equal(layout.scale, wide.weight[target]);
          for (let rect = 0; rect <= layout.above; rect++) {
            assert.equal(layout.rowOf(rect), rect);
            assert.equal(layout.width(rect), layout.scale);
            assert.equal(layout.weight[rect], wide.weight[wide.find(zoom.slice(0, rect))]);
          }
          const prefix = `${pathName(model, wide, target)} `;
          const below = (of) => sorted(of).filter(([path]) => path.startsWith(prefix));
          assert.deepEqual(below(readPaths(model, layout)), below(readPaths(model, wide)));
        }
      });

  test(`${name}: nothing is below a path that the selection does not have`, () => {
    const model = modelOf(randomProgram(4));
    const main = layoutOf(model, ALL, {invert}).func[1];
    const layout = layoutOf(model, ALL, {invert, zoom: [main, ...Array(40).fill(main)]});
    assert.equal(layout.isFound, false);
    assert.ok(layout.isDone);
    assert.equal(layout.count, layout.above + 1);
  });

  test(`${name}: rows are the same one by one as at once`, () => {
    const model = modelOf(randomProgram(5));
    const sums = model.sums(ALL);
    const layout = new FlameLayout(model, foldWeights(model, sums), {pixels: 200, invert});
    for (let rows = 1; !layout.isDone; rows++) assert.ok(layout.grow(rows).rows <= rows + 1);
    const whole = layoutOf(model, ALL, {pixels: 200, invert});
    assert.deepEqual(layout.rowStart, whole.rowStart);
    for (const key of ['func', 'weight', 'start', 'parent', 'members'])
      assert.deepEqual(layout[key].subarray(0, layout.count), whole[key].subarray(0, whole.count));
  });

  test(`${name}: the other side of a comparison is carried along`, () => {
    const program = randomProgram(6);
    const model = modelOf(program);
    const other = foldWeights(model, model.baseSums(ALL));
    const layout = layoutOf(model, ALL, {invert, other});
    const base = weighPaths(program, program.base, invert);
    for (const [path, weight] of readPaths(model, layout, layout.other))
      assert.equal(weight, base.get(path) ?? 0, path);
    const narrow = layoutOf(model, ALL, {invert, other, pixels: 30});
    const below = new Map();
    for (let rect = 1; rect < narrow.count; rect++)
      below.set(narrow.parent[rect], (below.get(narrow.parent[rect]) ?? 0) + narrow.other[rect]);
    for (const [rect, sum] of below) assert.ok(sum <= narrow.other[rect]);
  });

  test(`${name}: a place leads to its rectangle, a path too`, () => {
    const model = modelOf(randomProgram(7));
    const layout = layoutOf(model, ALL, {invert, pixels: 100});
    for (let rect = 0; rect < layout.count; rect++) {
      const row = layout.rowOf(rect);
      const middle = layout.start[rect] + layout.width(rect) / 2;
      assert.equal(layout.rectAt(row, middle), rect);
      const known = layout.func[rect] === FLAME_NARROW ? layout.parent[rect] : rect;
      assert.equal(layout.find(layout.pathOf(rect)), known);
    }
    assert.equal(layout.rectAt(0, layout.scale), -1);
    assert.equal(layout.rectAt(layout.rows, 0), -1);
    assert.equal(layout.rectAt(-1, 0), -1);
  });

  test(`${name}: of ten thousand levels those are made that are asked for`, () => {
    const model = deepModel(10000);
    const sums = model.sums(ALL);
    const layout = new FlameLayout(model, foldWeights(model, sums), {pixels: 1000, invert});
    layout.grow(80);
    assert.equal(layout.rows, 80);
    assert.equal(layout.grow(Infinity).rows, 10001);
    assert.equal(flameProblem(layout, sums.sum), '');
  });
}

/** A function that calls itself so often, sampled once at each hundredth level. */
function deepModel(levels) {
  const leaves = Array.from({length: levels / 100}, (_, i) => 100 * (i + 1));
  const columns = {
    'frame.function': [0],
    'frame.file': [0],
    'frame.line': [0],
    'frame.trust': [0],
    'frame.flags': [0],
    'trie.up': Array(levels).fill(0),
    'trie.frame': Array(levels).fill(0),
    'chain.leaf': leaves,
    'chain.stop': leaves.map(() => 0),
    'thread.entries': [leaves.length],
    'entry.bucket': leaves.map(() => 0),
    'entry.chain': leaves.map((_, i) => i),
    'entry.samples': leaves.map(() => 1),
  };
  const head = {
    unit_ns: 1,
    weights: ['samples'],
    stops: ['thread-start'],
    trusts: ['fp'],
    functions: {name: ['again'], module: [0]},
    threads: [{pid: 1, tid: 1, name: 'main'}],
    modules: [],
  };
  const column = (name) => (columns[name] ? Uint32Array.from(columns[name]) : null);
  return new Model({head, column});
}

test('inverted, the roots are what functions weigh themselves', () => {
  const model = modelOf(randomProgram(8));
  const sums = model.sums(ALL);
  const layout = layoutOf(model, ALL, {invert: true});
  const roots = new Float64Array(model.functionCount);
  for (let rect = layout.rowStart[1]; rect < layout.rowStart[2]; rect++)
    roots[layout.func[rect]] = layout.weight[rect];
  assert.deepEqual(roots, sums.functionSelf);
});

test('a graph for each kind of thread has the sums of its threads', () => {
  const program = randomProgram(2);
  const model = modelOf(program);
  const selection = {...ALL, threads: Uint8Array.of(1, 1, 1, 0, 1, 1)};
  const sums = model.sums(selection);
  const kinds = threadKinds(model, selection);
  assert.deepEqual(kinds.map((kind) => kind.name).sort(), ['io', 'main', 'pool']);
  const stack = new FlameStack(model, {
    sums,
    other: null,
    selection,
    byKind: true,
    trust: false,
    pixels: 900,
    invert: false,
    zoom: []
  });
  stack.grow(Infinity);
  assert.ok(stack.isDone);
  let [row, all] = [0, 0];
  stack.graphs.forEach((graph, i) => {
    const own = program.entries.filter((entry) => kinds[i].threads.includes(entry.thread));
    const weight = own.reduce((sum, entry) => sum + entry.samples, 0);
    assert.equal(kinds[i].weight, weight);
    assert.equal(flameProblem(graph.layout, weight), '');
    assert.equal(graph.row, row);
    row += graph.layout.rows + 1;
    all += weight;
  });
  assert.equal(all, sums.sum);
  assert.equal(stack.rows, row - 1);
  assert.ok(kinds.every((kind, i) => i === 0 || kind.weight <= kinds[i - 1].weight));
  const second = stack.graphs[1];
  assert.deepEqual(stack.at(second.row, 0.5), {graph: second, rect: 0});
  assert.equal(stack.at(second.row - 1, 0.5), null);
});

test('of very many kinds of threads the lightest share a graph', () => {
  const threads = 60;
  const chains = [['main']];
  const entries = Array.from(
      {length: threads},
      (_, thread) =>
          ({thread, bucket: 0, chain: 0, state: 1, samples: thread + 1, wall: 1, cpu: 1}));
  const payload = readPayload(payloadOf({threads, chains, entries}));
  payload.head.threads.forEach((thread, i) => (thread.node = i));
  payload.head.hierarchy = payload.head.threads.map((_, i) => ({parent: -1, name: `kind ${i}`}));
  const kinds = threadKinds(new Model(payload), ALL);
  assert.equal(kinds.length, 40);
  assert.equal(kinds.at(-1).threads.length, 21);
  assert.equal(kinds.reduce((sum, kind) => sum + kind.weight, 0), (60 * 61) / 2);
});

test('graphs further down are laid out when they are asked for', () => {
  const model = modelOf(randomProgram(2));
  const stack = new FlameStack(model, {
    sums: model.sums(ALL),
    other: null,
    selection: ALL,
    byKind: true,
    trust: false,
    pixels: 900,
    invert: true,
    zoom: []
  });
  stack.grow(2);
  assert.equal(stack.placed, 1);
  assert.equal(stack.graphs[1].made, null);
  assert.equal(stack.isDone, false);
});

/** Two lines of one function, found in two ways: the fold has one node for them. */
function twoWays() {
  const columns = {
    'frame.function': [0, 1, 1],
    'frame.file': [1, 1, 1],
    'frame.line': [1, 20, 30],
    'frame.trust': [0, 1, 2],
    'frame.flags': [0, 0, 0],
    'trie.up': [0, 0, 1],
    'trie.frame': [0, 1, 2],
    'chain.leaf': [2, 3],
    'chain.stop': [0, 0],
    'thread.entries': [2],
    'entry.bucket': [0, 0],
    'entry.chain': [0, 1],
    'entry.samples': [3, 5],
  };
  const head = {
    unit_ns: 1,
    weights: ['samples'],
    stops: ['thread-start'],
    trusts: ['context', 'eh_frame', 'scan'],
    files: ['a.c'],
    functions: {name: ['main', 'work'], module: [0, 0]},
    threads: [{pid: 1, tid: 1, name: 'main'}],
    modules: [],
  };
  const column = (name) => (columns[name] ? Uint32Array.from(columns[name]) : null);
  return new Model({head, column});
}

test('a frame tells the line and the trust that most of its weight has', () => {
  const model = twoWays();
  const sums = model.sums(ALL);
  const marks = foldTrust(model, sums);
  for (const invert of [false, true]) {
    const layout = layoutOf(model, ALL, {invert, marks});
    const work = layout.find(invert ? [1] : [0, 1]);
    assert.equal(heaviestPlace(model, sums, layout, work), 'a.c:30');
    assert.equal(model.head.trusts[layout.mark[work]], 'scan');
    const main = layout.find(invert ? [1, 0] : [0]);
    assert.equal(heaviestPlace(model, sums, layout, main), 'a.c:1');
    assert.equal(model.head.trusts[layout.mark[main]], 'context');
  }
  assert.deepEqual([...weighTrusts(model, sums)], [8, 3, 5]);
});
