// SPDX-License-Identifier: MIT
/**
 * Numbers as the other outputs write them (src/graph/amount.c), so that a figure that was read here
 * is found there. Values are counts or ns, whole and below 2^53.
 */

const COUNTED = new Set(['samples', 'calls']);

export const WEIGHT_NAMES = {
  samples: 'samples',
  wall: 'wall time',
  cpu: 'CPU time',
  offcpu: 'off-CPU time',
  calls: 'calls',
};

function padded(value, digits) {
  return String(value).padStart(digits, '0');
}

/** "1.234 s", "12.3 ms", "456 µs", "7 ns", "0 s". */
export function timeText(ns) {
  const value = Math.round(ns);
  if (value === 0) return '0 s';
  if (value < 0) return '-' + timeText(-value);
  if (value >= 1e9)
    return `${Math.floor(value / 1e9)}.${padded(Math.floor(value / 1e6) % 1000, 3)} s`;
  if (value >= 1e6) return `${Math.floor(value / 1e6)}.${Math.floor(value / 1e5) % 10} ms`;
  if (value >= 1e3) return `${Math.floor(value / 1e3)} µs`;
  return `${value} ns`;
}

/** A weight of a kind. */
export function weightText(kind, value) {
  return COUNTED.has(kind) ? String(Math.round(value)) : timeText(value);
}

/** A weight with its unit where the text has none: "12 samples". */
export function weightWords(kind, value) {
  if (!COUNTED.has(kind)) return timeText(value);
  const noun = kind === 'calls' ? 'call' : 'sample';
  return `${weightText(kind, value)} ${noun}${Math.round(value) === 1 ? '' : 's'}`;
}

/** A share in ten thousandths. */
export function basisPoints(part, total) {
  if (total <= 0) return 0;
  if (part >= total) return 10000;
  if (part > 4e11) {
    const [a, b] = [BigInt(Math.round(part)), BigInt(Math.round(total))];
    return Number((a * 20000n + b) / (b * 2n));
  }
  return Math.floor((part * 20000 + total) / (total * 2));
}

function pointsText(points) {
  return `${Math.floor(points / 100)}.${padded(points % 100, 2)}%`;
}

/** "12.34%", for tables. */
export function shareText(part, total) {
  return pointsText(basisPoints(part, total));
}

/** "12 %", "3.4 %", for sentences. */
export function percentText(part, total) {
  const points = basisPoints(part, total);
  const tenths = Math.floor((points + 5) / 10);
  const percent = Math.floor((points + 50) / 100);
  if (part > 0 && tenths === 0) return '<0.1 %';
  if (tenths < 100) return `${Math.floor(tenths / 10)}.${tenths % 10} %`;
  return percent >= 100 && part < total ? '>99 %' : `${percent} %`;
}

/** "+1.20%", "-0.07%", "0.00%": ten thousandths of percentage points. */
export function deltaText(points) {
  const sign = points < 0 ? '-' : points > 0 ? '+' : '';
  return sign + pointsText(Math.abs(points));
}

/** "1 thread", "2 threads". */
export function countText(count, noun, plural = `${noun}s`) {
  return `${count} ${count === 1 ? noun : plural}`;
}
