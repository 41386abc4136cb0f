// SPDX-License-Identifier: MIT
/** Sentences that several views have. */
import {countText, percentText, timeText, weightWords} from './amounts.js';
import {visible} from './dom.js';

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
  if (head.threads.length) parts.push(countText(head.threads.length, 'thread'));
  if (head.totals.samples) parts.push(countText(head.totals.samples, 'sample'));
  return parts.join(' · ');
}

/** What a thread is called. */
export function threadName(head, thread) {
  const known = head.threads[thread];
  return visible(known.text ?? `${known.name} (${known.tid})`);
}

/** "0.120 s to 1.400 s" of buckets. */
export function spanText(app, [first, end]) {
  return `${timeText(app.bucketStart(first))} to ${timeText(app.bucketStart(end))}`;
}

/** "123 samples of 1000 (12 %)": the selection, of all that there is. */
export function selectionText(app) {
  const {weight} = app.state;
  const {sum} = app.sums();
  const all = app.head.totals[weight] ?? 0;
  // Sums of rounded times are right to a unit for each thread.
  if (Math.abs(sum - all) <= app.head.unit_ns * app.head.threads.length)
    return weightWords(weight, all);
  return `${weightWords(weight, sum)} of ${weightWords(weight, all)} (${percentText(sum, all)})`;
}
