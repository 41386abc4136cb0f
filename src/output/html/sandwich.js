// SPDX-License-Identifier: MIT
/** What is known of one function in a selection: around it, in it. Knows no DOM. */

/** Greatest first; what is equal in the order of its numbers. @returns {[number, number][]} */
function heaviestFirst(weights) {
  return [...weights].filter(([, weight]) => weight > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

/**
 * Callers and callees, heaviest first. `first`: of the samples in which nobody called it.
 * @param {import('./model.js').Model} model @param {import('./model.js').Sums} sums
 * @returns {{callers: {func: number, weight: number}[], callees: {func: number, weight: number}[],
 *   first: number}}
 */
export function neighboursOf(model, func, sums) {
  const {callers, callees, first} = model.neighbours(func, sums);
  const named = (weights) => heaviestFirst(weights).map(([func, weight]) => ({func, weight}));
  return {callers: named(callers), callees: named(callees), first};
}

/** By chain 1: the function is in it. */
export function chainsWith(model, func) {
  const {trie, functionOf, chainLeaf} = model;
  const inside = new Uint8Array(trie.count);
  for (let node = 1; node < trie.count; node++)
    inside[node] = Number(functionOf[node] === func) | inside[trie.parent[node]];
  const chains = new Uint8Array(chainLeaf.length);
  for (let chain = 0; chain < chains.length; chain++) chains[chain] = inside[chainLeaf[chain]];
  return chains;
}

/**
 * In which threads a function ran: of the samples that it is in, heaviest first.
 * @param {import('./model.js').Selection} selection
 * @returns {{thread: number, weight: number}[]}
 */
export function threadsOf(model, func, selection) {
  const {count, thread, bucket, chain, state, weight} = model.entries;
  const values = weight[selection.weight];
  const {threads, states, first, end} = selection;
  const chains = chainsWith(model, func);
  const sums = new Float64Array(model.head.threads.length);
  for (let i = 0; values && i < count; i++) {
    if (!chains[chain[i]] || bucket[i] < first || bucket[i] >= end) continue;
    if (threads && !threads[thread[i]]) continue;
    if (states && !states[state[i]]) continue;
    sums[thread[i]] += values[i];
  }
  return heaviestFirst(sums.entries()).map(([thread, weight]) => ({thread, weight}));
}

/**
 * How the frames of a function were found: of the samples in which one was found so, each counted
 * once. @returns {{trust: number, weight: number}[]} heaviest first
 */
export function trustsOf(model, func, sums) {
  const {trie, outerSame, frames} = model;
  const weights = new Map();
  const trustOf = (node) => frames.trust[trie.frame[node]];
  for (const node of model.nodesOf(func)) {
    const trust = trustOf(node);
    let outer = outerSame[node];
    while (outer > 0 && trustOf(outer) !== trust) outer = outerSame[outer];
    if (outer <= 0) weights.set(trust, (weights.get(trust) ?? 0) + sums.total[node]);
  }
  return heaviestFirst(weights).map(([trust, weight]) => ({trust, weight}));
}

/** Functions from the outermost one to where the function has most weight on one path. */
export function heaviestPath(model, func, sums) {
  const {fold} = model;
  const weights = new Map();
  for (const node of model.nodesOf(func))
    weights.set(fold.of[node], (weights.get(fold.of[node]) ?? 0) + sums.total[node]);
  let best = -1;
  for (const [node, weight] of weights)
    if (best < 0 || weight > weights.get(best)) best = node;
  const path = [];
  for (let node = best; node > 0; node = fold.parent[node]) path.push(fold.func[node]);
  return path.reverse();
}

/**
 * Where each caller calls a function: of its lines that do, the one with most weight. @returns
 * {Map<number, string>} "file.c:12" by caller; those whose lines are not known are left out
 */
export function callPlacesOf(model, func, sums) {
  const {trie, functionOf} = model;
  const weights = new Map();  // by caller: weight by place
  for (const node of model.nodesOf(func)) {
    const outer = trie.parent[node];
    const caller = functionOf[outer];
    if (outer === 0 || !(sums.total[node] > 0) || model.isPairOutside(node, caller)) continue;
    const place = model.place(trie.frame[outer]);
    if (!weights.has(caller)) weights.set(caller, new Map());
    const ofCaller = weights.get(caller);
    ofCaller.set(place, (ofCaller.get(place) ?? 0) + sums.total[node]);
  }
  const places = new Map();
  for (const [caller, ofCaller] of weights) {
    let best = '';
    for (const [place, weight] of ofCaller)
      if (place && (!best || weight > ofCaller.get(best))) best = place;
    if (best) places.set(caller, best);
  }
  return places;
}
