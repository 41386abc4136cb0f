// SPDX-License-Identifier: MIT
/** Sentences that several views have. */
import {countText, percentText, timeText, WEIGHT_NAMES, weightWords} from './amounts.js';
import {shortened, visible} from './dom.js';
import {shownTime} from './time_axis.js';

const CHOSEN_MOST = 8;  // threads that are named
const CHOSEN_NAME_MAX = 120;

/** "2026-11-27 12:00:03 UTC" from ns since the epoch, a decimal text. */
export function dateText(ns) {
  return `${
      new Date(Number(BigInt(ns) / 1000000n)).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Below the title: where, when, how long, how much. */
export function pageSubtitle(head) {
  const parts = [];
  const hosts = new Set((head.captures ?? []).map((capture) => capture.host).filter(Boolean));
  if (hosts.size === 1) parts.push(visible([...hosts][0]));
  if (hosts.size > 1) parts.push(countText(hosts.size, 'host'));
  if (head.start_ns) parts.push(dateText(head.start_ns));
  if (head.duration_ns > 0) parts.push(timeText(head.duration_ns));
  if (head.threads.length) parts.push(countText(threadCount(head), 'thread'));
  if (head.totals.samples) parts.push(countText(head.totals.samples, 'sample'));
  if (head.base_title) parts.push(`compared with ${shortened(head.base_title, 80)}`);
  return parts.join(' · ');
}

/**
 * How many threads there were: the last of very many stands for all that are not listed, and what
 * has neither a number nor samples is a process's CPU time that no thread's sample has.
 */
export function threadCount(head) {
  return head.threads.reduce(
      (sum, {more, tid, samples}) => sum + (more ?? Number(!!tid || samples > 0)), 0);
}

/** What a thread is called. */
export function threadName(head, thread) {
  const known = head.threads[thread];
  return visible(known.text ?? `${known.name} (${known.tid})`);
}

/** "0.120 s to 1.400 s" of buckets. */
export function spanText(app, [first, end]) {
  return `${timeText(shownTime(app.head, first))} to ${timeText(shownTime(app.head, end))}`;
}

/** "123 samples of 1000 (12 %)": the selection, of all that there is. */
export function selectionText(app) {
  const {weight, threads, span, states} = app.state;
  const all = app.head.totals[weight] ?? 0;
  // Of what the page has as a whole the exact sum is known, those of entries are rounded.
  const isWhole = !threads && !span && states === 'all';
  const sum = isWhole ? app.head.shown[weight] ?? 0 : app.sums().sum;
  if (sum === all) return weightWords(weight, all);
  return `${weightWords(weight, sum)} of ${weightWords(weight, all)} (${percentText(sum, all)})`;
}

/** How chains end, by the names of src/unwind/chain.h. */
const STOP_WORDS = {
  'thread-start': 'reach the start of their thread',
  'undefined-ra': 'end where unwind tables or the code say that nobody called',
  'stack-end': 'end with the stack that was captured',
  truncated: 'longer than what of the stack was captured',
  'no-rule': 'no way to find the caller',
  implausible: 'the caller found cannot be one',
  depth: 'longer than is followed',
};

/** @returns {string} the name itself where it has no words */
export function stopWords(name) {
  return STOP_WORDS[name] ?? visible(name);
}

/** How frames were found, by the names of src/unwind/row/trust.h: words, and more of them. */
const TRUST_WORDS = {
  context: ['captured registers', 'innermost: its registers were captured'],
  kernel: ['the kernel', 'the kernel’s part of the chain'],
  debug_frame: ['debug information', 'by call frame information for debuggers'],
  eh_frame: ['unwind tables', 'by call frame information, as C++ exceptions use it'],
  exidx: ['ARM unwind tables', 'by the exception tables of ARM'],
  gopclntab: ['Go’s tables', 'by the tables of Go’s runtime'],
  prologue: ['first instructions', 'concluded from the function’s first instructions'],
  fp: ['frame pointers', 'by the chain of frame pointers'],
  lr: ['link register', 'by the link register'],
  scan: ['guessed from the stack', 'a word of the stack that looks like a return address'],
};

export function trustWords(name) {
  return TRUST_WORDS[name]?.[0] ?? visible(name);
}

/** With the name that other formats and the documentation have: for a title. */
export function trustTitle(name) {
  return `${TRUST_WORDS[name]?.[1] ?? 'by other means'} (${visible(name)})`;
}

/** Of a function that waits, where CPU time is looked at. */
export const SLEEPS_WORDS =
    'Most of its samples are of threads that wait in it: this CPU time is that of going to sleep ' +
    'and waking up.';

/** What is chosen, for paper, where no control shows it: "Time: … · Threads: …". */
export function chosenWords(app) {
  const {state, head, model} = app;
  const parts = [`${WEIGHT_NAMES[state.weight]}: ${selectionText(app)}`];
  if (state.side === 'base') parts.push('of the baseline');
  if (state.span) parts.push(`time: ${spanText(app, state.span)}`);
  if (state.threads) {
    const names = state.threads.slice(0, CHOSEN_MOST).map((thread) => threadName(head, thread));
    const rest = state.threads.length - names.length;
    parts.push(`threads: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`);
  }
  if (state.states !== 'all')
    parts.push(state.states === 'run' ? 'running or ready only' : 'waiting only');
  if (state.func !== null)
    parts.push(`marked: ${shortened(model.functionLabel(state.func), CHOSEN_NAME_MAX)}`);
  if (state.search) parts.push(`search: ${shortened(state.search, CHOSEN_NAME_MAX)}`);
  return parts.join(' · ');
}
