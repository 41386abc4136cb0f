// SPDX-License-Identifier: MIT
/**
 * What the script of a page would show of all of it, as JSON: each number as the page's writer has
 * it, and as the script adds it up.
 *
 * usage: node page_numbers.mjs PAGE.html
 */
import {readFileSync} from 'node:fs';

import {decodePayload} from '../../src/output/html/data.js';
import {Model} from '../../src/output/html/model.js';
import {PIECE_STATES, Pieces, pieceStates} from '../../src/output/html/pieces.js';
import {endOf} from '../../src/output/html/time_axis.js';
import {WaitsModel} from '../../src/output/html/waits_model.js';
import {threadCount} from '../../src/output/html/words.js';

const DATA = /<script type="application\/octet-stream" id="data">([^<]*)<\/script>/;

/** [self, total] of each function, by weight. */
function functionsOf(model) {
  const all = {threads: null, states: null, first: 0, end: Infinity};
  return Object.fromEntries(model.head.weights.map((weight) => {
    const {functionSelf, functionTotal, sum} = model.sums({...all, weight});
    const list = Array.from(
        functionSelf, (self, func) => [model.functionLabel(func), self, functionTotal[func]]);
    return [weight, {sum, functions: list.filter(([, , total]) => total)}];
  }));
}

function waitedOf(waits, selection) {
  return waits.waited(selection).map(
      (waited) => ({
        object: waited.object,
        kind: waited.kind,
        group: waited.group,
        ns: waited.ns,
        longest: waited.longest,
        count: waited.count,
        threads: waited.threadCount,
        holders: waits.holders(waits.episodes(waited)).map(({holder, ns}) => [holder.thread, ns]),
      }));
}

function timesOf(payload) {
  const {head} = payload;
  const pieces = new Pieces(payload);
  const waits = new WaitsModel(payload, pieces);
  const end = endOf(head);
  const added = {threads: null, from: 0, to: Infinity, states: pieceStates('all')};
  const told = {...added, allTime: true};
  const statesOf = (selection) => Object.fromEntries(
      Array.from(pieces.sumStates(selection), (ns, state) => [PIECE_STATES[state], ns]));
  return {
    end,
    unit: pieces.unit,
    pieces: pieces.count,
    waits: pieces.wait.filter((wait) => wait).length,
    states: {told: statesOf(told), added: statesOf(added)},
    waited: {told: waitedOf(waits, told), added: waitedOf(waits, added)},
    blocked: waits.blockedAtEnd(null).map(
        ({threads, holder, since, until}) =>
            ({threads: threads.map((t) => head.threads[t].tid), holder, ns: until - since})),
  };
}

const payload = await decodePayload(DATA.exec(readFileSync(process.argv[2], 'utf8'))[1]);
const {head} = payload;
const times = head.time && head.columns['thread.pieces'] ? timesOf(payload) : null;
console.log(
    JSON.stringify({weights: functionsOf(new Model(payload)), threads: threadCount(head), times}));
