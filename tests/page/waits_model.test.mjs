// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Pieces, pieceStates} from '../../src/output/html/pieces.js';
import {episodeAt, episodesWithin, longestWaits, WaitsModel} from '../../src/output/html/waits_model.js';

import {randomThreads, threadPayload} from './thread_payload.mjs';

function modelOf(program) {
  const payload = threadPayload(program);
  return new WaitsModel(payload, new Pieces(payload));
}

function whole(program) {
  return {
    threads: null,
    from: 0,
    to: program.buckets * program.bucketNs,
    states: pieceStates('all')
  };
}

function selectionsOf(program) {
  return [
    whole(program),
    {...whole(program), from: 333, to: 4444},
    {...whole(program), threads: Uint8Array.of(1, 0, 1, 0, 1), from: 15},
  ];
}

/** What a piece of the table waits for: its wait, or null. */
function waitOf(program, piece) {
  return piece.wait && piece.state >= 2 ? program.waits[piece.wait - 1] : null;
}

function thingName(wait) {
  return wait.object === undefined ? `kind ${wait.kind}` : `object ${wait.object}`;
}

/** By what is waited for and thread: for each unit of time whether it waits. */
function grid(program, selection) {
  const waits = new Map();
  program.pieces.forEach((list, thread) => list.forEach((piece) => {
    const wait = waitOf(program, piece);
    if (!wait || (selection.threads && !selection.threads[thread])) return;
    const key = `${thingName(wait)}\n${thread}`;
    if (!waits.has(key)) waits.set(key, new Set());
    for (let t = piece.begin * 10; t < piece.end * 10; t++)
      if (t >= selection.from && t < selection.to) waits.get(key).add(t);
  }));
  return waits;
}

function runs(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const lengths = [];
  sorted.forEach((t, i) => {
    if (i && sorted[i - 1] === t - 1)
      lengths[lengths.length - 1]++;
    else
      lengths.push(1);
  });
  return lengths;
}

test('waits are those that a table of moments has', () => {
  for (let seed = 1; seed < 9; seed++) {
    const program = randomThreads(seed);
    const model = modelOf(program);
    for (const selection of selectionsOf(program)) {
      const right = grid(program, selection);
      let seen = 0;
      for (const waited of model.waited(selection)) {
        const name = waited.object === null ? `kind ${waited.kind}` : `object ${waited.object}`;
        for (const [thread, sum] of waited.threads) {
          const lengths = runs(right.get(`${name}\n${thread}`));
          assert.equal(sum.count, lengths.length);
          assert.equal(sum.ns, lengths.reduce((a, b) => a + b, 0));
          assert.equal(sum.longest, Math.max(...lengths));
          seen++;
        }
        assert.equal(waited.ns, [...waited.threads.values()].reduce((a, b) => a + b.ns, 0));
        assert.equal(waited.longest, Math.max(...waited.waits.map(({from, to}) => to - from)));
      }
      assert.equal(seen, [...right.values()].filter((times) => times.size).length);
    }
  }
});

/** Does somebody that is chosen wait for an object at a time? How many? */
function waitersAt(program, selection, object, time) {
  return program.pieces
      .filter(
          (list, thread) => (!selection.threads || selection.threads[thread]) &&
              list.some(
                  (piece) => waitOf(program, piece)?.object === object &&
                      piece.begin * 10 <= time && piece.end * 10 > time))
      .length;
}

test('the holder at a time is whom the payload has, while somebody that is chosen waits', () => {
  for (let seed = 1; seed < 7; seed++) {
    const program = randomThreads(seed, {threads: 5, pieces: 25});
    const model = modelOf(program);
    for (const selection of selectionsOf(program))
      for (const waited of model.waited(selection)) {
        const holds = program.holds[waited.object ?? -1];
        if (!holds) continue;
        const episodes = model.episodes(waited);
        for (let time = selection.from; time < selection.to; time += 3) {
          const waiters = waitersAt(program, selection, waited.object, time);
          const hold = !selection.threads || waiters ?
              holds.find(({from, to}) => from <= time && time < to) :
              undefined;
          const found = episodeAt(episodes, time);
          assert.equal(!!found, !!hold);
          if (!found) continue;
          assert.equal(found.holder.readers, program.waits[hold.wait].readers ?? 0);
          assert.equal(found.holder.thread, hold.owner ?? -1);
          assert.ok(found.waiters >= waiters);
        }
        episodes.forEach((episode, i) => {
          assert.ok(episode.from < episode.to);
          assert.ok(i === 0 || episodes[i - 1].to <= episode.from);
        });
        const sums = model.holders(episodes);
        assert.equal(
            sums.reduce((sum, {ns}) => sum + ns, 0),
            episodes.reduce((sum, {from, to}) => sum + to - from, 0));
      }
  }
});

test('of all of the time and threads it is told what the writer of the page counted', () => {
  const program = randomThreads(3);
  const object = {...program.objects[0], waited_ns: 7, longest_ns: 5, waits: 3, threads: 2};
  const model = modelOf({...program, objects: [object, ...program.objects.slice(1)]});
  const of = (selection) => model.waited(selection).find((waited) => waited.object === 0);
  const told =
      ({ns, longest, count, threadCount, allSeen}) => [ns, longest, count, threadCount, allSeen];
  assert.deepEqual(told(of({...whole(program), allTime: true})), [7, 5, 3, 2, false]);
  assert.notEqual(of(whole(program)).ns, 7);
  assert.notEqual(of({...whole(program), allTime: true, threads: Uint8Array.of(1)}).ns, 7);
});

test('a wait of one moment counts, and what a thread ran while it waited does not', () => {
  const program = {
    ...shop(),
    pieces: [
      [{begin: 0, end: 40, state: 2, wait: 1, cpu: 10}, {begin: 40, end: 40, state: 2, wait: 1}],
      [{begin: 90, end: 90, state: 2, wait: 1}], [], []
    ],
  };
  const [lock] = modelOf(program).waited({...whole(program), to: 900});
  assert.deepEqual([lock.count, lock.ns, lock.longest, lock.threadCount], [2, 300, 300, 2]);
});

/** A reporter holds a lock for which two workers wait; one of them is still there at the end. */
function shop() {
  return {
    threads: [
      {pid: 7, tid: 7, name: 'reporter', node: 0}, {pid: 7, tid: 8, name: 'worker', node: 1},
      {pid: 7, tid: 9, name: 'worker', node: 1},
      {pid: 7, tid: 10, name: 'gone', node: 1, end_ns: 600}
    ],
    pieces: [
      [{begin: 0, end: 30, state: 5, wait: 3}, {begin: 30, end: 80, state: 0, text: 1}],
      [
        {begin: 0, end: 40, state: 0, text: 2}, {begin: 40, end: 60, state: 2, text: 3, wait: 1},
        {begin: 60, end: 90, state: 2, text: 3, wait: 2}
      ],
      [{begin: 50, end: 95, state: 2, text: 3, wait: 1}],
      [{begin: 0, end: 60, state: 2, text: 3, wait: 1}],
    ],
    unit: 10,
    texts: ['format_report', 'parse_order', 'price_order'],
    waits: [
      {kind: 'mutex', group: 'lock', object: 0, owner: 0},
      {kind: 'mutex', group: 'lock', object: 0}, {kind: 'sleep', group: 'outside'}
    ],
    holds: [[{from: 0, to: 600, owner: 0, wait: 0}]],
    blocked: [{
      wait: 0,
      holder: 'held by reporter',
      end_ns: 950,
      members: [{thread: 1, since_ns: 400}, {thread: 2, since_ns: 500}, {since_ns: 1}]
    }],
    objects: [{kind: 'mutex', group: 'lock', text: 'mutex prices'}],
    buckets: 10,
    bucketNs: 100,
  };
}

test('what a holder did meanwhile, and who is blocked at the end', () => {
  const model = modelOf(shop());
  const [lock, sleep] = model.waited(whole(shop()));
  assert.equal(lock.ns, 500 + 450 + 600);
  assert.equal(sleep.group, 'outside');
  const episodes = model.episodes(lock);
  assert.deepEqual(episodes.map(({from, to, waiters}) => [from, to, waiters]), [[0, 600, 3]]);
  const [holder] = model.holders(episodes);
  assert.deepEqual(
      model.pieces.didWithin(0, holder.intervals),
      [{state: 5, text: 0, ns: 300}, {state: 0, text: 1, ns: 300}]);
  const brief = ({threads, since, until, holder: words}) => [threads, since, until, words];
  assert.deepEqual(model.blockedAtEnd(null).map(brief), [[[1, 2], 400, 950, 'held by reporter']]);
  assert.deepEqual(
      model.blockedAtEnd(Uint8Array.of(0, 0, 1, 1)).map(brief),
      [[[2], 500, 950, 'held by reporter']]);
  assert.deepEqual(model.blockedAtEnd(Uint8Array.of(1, 0, 0, 1)), []);
  const at = (time) => model.blockedAt(time, null, (one) => String(one?.thread)).map(brief);
  assert.deepEqual(at(600), [[[1, 2, 3], 0, 600, '0']]);
  assert.deepEqual(at(1000), []);
});

test('episodes are cut at a time, and waits are found by their length', () => {
  const program = randomThreads(2);
  const model = modelOf(program);
  const [waited] = model.waited(whole(program));
  const episodes = model.episodes(waited);
  const cut = episodesWithin(episodes, 500, 1500);
  const part = ({from, to}) => Math.max(0, Math.min(to, 1500) - Math.max(from, 500));
  const sum = (list) => list.reduce((total, episode) => total + part(episode), 0);
  assert.equal(sum(cut), sum(episodes));
  assert.ok(cut.every(({from, to}) => from >= 500 && to <= 1500 && from < to));
  const length = ({ns}) => ns;
  const right = waited.waits.map(length).sort((a, b) => b - a).slice(0, 7);
  assert.deepEqual(longestWaits(waited.waits, 7).map(length), right);
});
