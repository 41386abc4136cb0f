// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Pieces, pieceStates} from '../../src/output/html/pieces.js';
import {episodeAt, episodesWithin, longestWaits, WaitsModel} from '../../src/output/html/waits_model.js';

import {randomThreads, threadPayload} from './thread_payload.mjs';

function modelOf(program) {
  const payload = threadPayload(program);
  return new WaitsModel(payload.head, new Pieces(payload));
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

/** What waiters of an object tell of its holder, in the order in which they began to. */
function readings(program, selection, object) {
  const list = [];
  program.pieces.forEach((pieces, thread) => pieces.forEach((piece) => {
    const wait = waitOf(program, piece);
    if (!wait || wait.object !== object) return;
    if (selection.threads && !selection.threads[thread]) return;
    if (piece.end * 10 <= selection.from || piece.begin * 10 >= selection.to) return;
    const holder = wait.owner ?? (wait.readers ? `${wait.readers} readers` : null);
    list.push({begin: piece.begin * 10, end: piece.end * 10, holder, thread});
  }));
  return list.sort((a, b) => a.begin - b.begin || a.thread - b.thread);
}

/**
 * The holder that was told last, if one lasts that told so after the last that told otherwise, or
 * that came when none lasted; or null.
 */
function holderAt(list, time) {
  const begun = list.filter(({begin}) => begin <= time);
  const last = begun.at(-1);
  if (!last || last.holder === null) return null;
  const other = begun.findLastIndex(({holder}) => holder !== last.holder);
  return begun.slice(other + 1).some(({end}) => end > time) ? last.holder : null;
}

test('the holder at a time is the one that was found last', () => {
  for (let seed = 1; seed < 7; seed++) {
    const program = randomThreads(seed, {threads: 5, pieces: 25});
    const model = modelOf(program);
    for (const selection of selectionsOf(program))
      for (const waited of model.waited(selection)) {
        if (waited.object === null) continue;
        const episodes = model.episodes(waited);
        const told = readings(program, selection, waited.object);
        for (let time = selection.from; time < selection.to; time += 3) {
          const right = holderAt(told, time);
          const holder = episodeAt(episodes, time)?.holder;
          const found = !holder ? null :
              holder.readers    ? `${holder.readers} readers` :
                                  holder.thread;
          assert.equal(found, right);
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
    waits: [{kind: 'mutex', object: 0, owner: 0}, {kind: 'mutex', object: 0}, {kind: 'sleep'}],
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
  const blocked = model.blockedAt(1000, null, true);
  assert.deepEqual(blocked.map(({threads, since}) => [threads, since]), [[[1], 400], [[2], 500]]);
  assert.deepEqual(model.blockedAt(600, null, false).map(({threads}) => threads), [[1, 2, 3]]);
  assert.deepEqual(model.blockedAt(1000, null, false), []);
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
  const length = ({from, to}) => to - from;
  const right = waited.waits.map(length).sort((a, b) => b - a).slice(0, 7);
  assert.deepEqual(longestWaits(waited.waits, 7).map(length), right);
});
