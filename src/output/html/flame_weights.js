// SPDX-License-Identifier: MIT
/** Sums of a selection as a flame graph needs them: by node of the fold, by trust, by line. */

/** Sums to what was folded of them: zooming and inverting need the same ones again. */
const FLAME_FOLDED = new WeakMap();

/** @param {import('./model.js').Sums} sums @returns {import('./flame_layout.js').FlameWeights} */
export function foldWeights(model, sums) {
  if (!FLAME_FOLDED.has(sums)) FLAME_FOLDED.set(sums, foldSums(model, sums));
  return FLAME_FOLDED.get(sums);
}

function foldSums(model, sums) {
  const {of, count} = model.fold;
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  for (let node = 0; node < of.length; node++) {
    self[of[node]] += sums.self[node];
    total[of[node]] += sums.total[node];
  }
  return {self, total};
}

/** By node of the fold: how most of its weight's frames were found. */
export function foldTrust(model, sums) {
  const {start, list} = model.foldMembers();
  const {frame} = model.trie;
  const trustOf = model.frames.trust;
  const trust = new Uint8Array(model.fold.count);
  const votes = new Float64Array(model.head.trusts.length);
  for (let node = 1; node < trust.length; node++) {
    const [first, end] = [start[node], start[node + 1]];
    trust[node] = trustOf[frame[list[first]]];
    if (end - first === 1) continue;
    votes.fill(0);
    for (let i = first; i < end; i++) {
      const kind = trustOf[frame[list[i]]];
      votes[kind] += sums.total[list[i]];
      if (votes[kind] > votes[trust[node]]) trust[node] = kind;
    }
  }
  return trust;
}

/** By trust: how much the frames weigh that were found so, each frame as much as its samples. */
export function weighTrusts(model, sums) {
  const weights = new Float64Array(model.head.trusts.length);
  const {frame, count} = model.trie;
  for (let node = 1; node < count; node++)
    weights[model.frames.trust[frame[node]]] += sums.total[node];
  return weights;
}

/** By module: how much of the selection ends in its functions. */
export function weighModules(model, sums) {
  const weights = new Float64Array(model.head.modules.length);
  for (let func = 0; func < model.functionCount; func++) {
    const module = model.head.functions.module[func];
    if (module < weights.length) weights[module] += sums.functionSelf[func];
  }
  return weights;
}

/** The trie node as far out from `node` as the path is long, if that path is of these functions. */
function climbPath(model, node, path) {
  let at = node;
  for (let i = 1; i < path.length; i++) {
    at = model.trie.parent[at];
    if (at <= 0 || model.functionOf[at] !== path[i]) return -1;
  }
  return at;
}

/** "file.c:12" of most of the weight of a rectangle's frame, or ''. */
export function heaviestPlace(model, sums, layout, rect) {
  const places = new Map();
  const add = (node, weight) => {
    const place = model.place(model.trie.frame[node]);
    if (place && weight > 0) places.set(place, (places.get(place) ?? 0) + weight);
  };
  if (layout.invert) {
    const path = layout.pathOf(rect);
    for (const node of model.nodesOf(path[0])) {
      const outer = sums.self[node] > 0 ? climbPath(model, node, path) : -1;
      if (outer > 0) add(outer, sums.self[node]);
    }
  } else {
    const {start, list} = model.foldMembers();
    const node = layout.key[rect];
    for (let i = start[node]; i < start[node + 1]; i++) add(list[i], sums.total[list[i]]);
  }
  let [best, most] = ['', 0];
  for (const [place, weight] of places)
    if (weight > most) [best, most] = [place, weight];
  return best;
}
