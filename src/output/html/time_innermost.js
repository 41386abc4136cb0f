// SPDX-License-Identifier: MIT
/**
 * What the function of a piece had called: pieces name what a user would, samples have the chain.
 */
import {shortened} from './dom.js';
import {pieceFunction} from './piece_words.js';
import {appPieces, once, textFunctions} from './time_data.js';

const MOST_SHARE = 0.5;  // of the samples, that an innermost function has at least
const CALLED_NAME = 40;

/** By chain the text that its pieces have, of a function on it; 0: none. */
export function textsOfChains({chainLeaf, functionOf, functionCount, trie}, functions) {
  const own = new Uint32Array(functionCount);
  functions.forEach((func, text) => {
    if (func >= 0) own[func] = text;
  });
  const texts = new Uint32Array(trie.count);
  for (let node = 1; node < trie.count; node++)
    texts[node] = own[functionOf[node]] || texts[trie.parent[node]];
  return Uint32Array.from(chainLeaf, (leaf) => texts[leaf]);
}

/** Calls `visit(entry)` for the entries of a thread from a bucket up to another, that included. */
function eachEntry({start, bucket}, thread, first, last, visit) {
  let low = start[thread];
  for (let high = start[thread + 1]; low < high;) {
    const middle = (low + high) >>> 1;
    if (bucket[middle] < first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < start[thread + 1] && bucket[low] <= last; low++) visit(low);
}

/**
 * The innermost function of most of the samples within pieces of one thread that have one text;
 * -1: it is the text's own, or there is none.
 * @param {import('./model.js').Model} model  @param {import('./pieces.js').Pieces} pieces
 */
export function innermostOf(model, pieces, chainTexts, thread, list) {
  const {head, entries, chainLeaf, functionOf} = model;
  const values = entries.weight.samples;
  if (!head.time || !values) return -1;
  const bucketOf = (time) => Math.floor((time - (head.time.from_ns ?? 0)) / head.time.bucket_ns);
  const votes = new Map();
  let all = 0;
  let seen = -1;  // the last entry that counted
  for (const piece of list)
    eachEntry(
        entries, thread, bucketOf(pieces.begin[piece]), bucketOf(pieces.end[piece] - 1), (i) => {
          if (i <= seen || chainTexts[entries.chain[i]] !== pieces.text[piece]) return;
          seen = i;
          const func = functionOf[chainLeaf[entries.chain[i]]];
          votes.set(func, (votes.get(func) ?? 0) + values[i]);
          all += values[i];
        });
  const [func, most] = [...votes].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
  return most > all * MOST_SHARE ? func : -1;
}

/** "fsync ← journal()": with what the function of pieces had called, where that is known. */
export function calledText(app, thread, list) {
  const {model} = app;
  const functions = textFunctions(app);
  const text = appPieces(app).text[list[0]];
  const name = pieceFunction(app.head, text);
  if (!text || functions[text] < 0) return name;
  const chainTexts = once(
      app, app.state.divided ? 'chainTexts' : 'joinedChainTexts',
      () => textsOfChains(model, functions));
  const func = innermostOf(model, appPieces(app), chainTexts, thread, list);
  return func < 0 || func === functions[text] ?
      name :
      `${shortened(model.functionLabel(func), CALLED_NAME)} ← ${name}`;
}
