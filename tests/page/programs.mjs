// SPDX-License-Identifier: MIT
/** Small programs made by chance, and what is right of them, counted sample by sample. */
import {readPayload} from '../../src/output/html/data.js';
import {Model} from '../../src/output/html/model.js';

import {payloadOf} from './payload.mjs';

/** The same numbers each time. */
export function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/** A program with recursion, several threads, states and times. */
export function randomProgram(seed) {
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

export function modelOf(program) {
  return new Model(readPayload(payloadOf(program)));
}

export const ALL = {
  weight: 'samples',
  threads: null,
  first: 0,
  end: Infinity,
  states: null
};

export const SELECTIONS = [
  ALL,
  {...ALL, weight: 'wall'},
  {...ALL, weight: 'cpu', first: 3, end: 11},
  {...ALL, threads: Uint8Array.of(0, 1, 0, 1)},
  {...ALL, states: Uint8Array.of(0, 0, 1), first: 5},
];

/** Entries of a program that a selection has. */
export function chosen(program, selection) {
  return program.entries.filter(
      (entry) => entry.bucket >= selection.first && entry.bucket < selection.end &&
          (!selection.threads || selection.threads[entry.thread]) &&
          (!selection.states || selection.states[entry.state]));
}

/**
 * Weights by key, counted sample by sample; `of(chain, entry)` lists the keys of one, each of which
 * counts once.
 */
export function count(program, selection, of, entries = chosen(program, selection)) {
  const sums = new Map();
  for (const entry of entries)
    for (const key of new Set(of(program.chains[entry.chain], entry)))
      sums.set(key, (sums.get(key) ?? 0) + entry[selection.weight]);
  return sums;
}
