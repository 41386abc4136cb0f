// SPDX-License-Identifier: MIT
/**
 * Time along a line of pixels: ticks, and the curve of how many threads ran. Times are ns since the
 * first sample.
 */

const END_BUCKETS = 5;  // in which a capture ends

/** The least of 1, 2 or 5 times a power of ten that makes at most `most` steps. */
export function roundStep(length, most) {
  for (let power = 1;; power *= 10)
    for (const factor of [1, 2, 5])
      if (length / (factor * power) <= most) return factor * power;
}

/** @type {[string, number][]} */
const TIME_UNITS = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];

/** "1.20 s": with as many digits as steps of `step` need; all up to `to` in one unit. */
export function tickText(ns, step, to) {
  const [name, size] = TIME_UNITS.find(([, unit]) => to >= unit) ?? TIME_UNITS[3];
  let digits = 0;
  for (let unit = size; unit > step; unit /= 10) digits++;
  return `${(ns / size).toFixed(digits)} ${name}`;
}

/**
 * Whole steps from `from` to `to`, which are counted: very late, one more is none.
 * @returns {{at: number, text: string}[]}
 */
export function ticksOf(from, to, most) {
  const step = roundStep(Math.max(1, to - from), Math.max(1, most));
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({length: count}, (_, i) => {
    const at = (first + i) * step;
    return {at, text: tickText(at, step, to)};
  });
}

/**
 * @typedef {object} Curve
 * @property {number} start @property {number} end  of time
 * @property {Float64Array} running  threads on average, by equal bins
 * @property {Float64Array} ready
 * @property {number} most  running and ready threads in one bin
 */

/** @returns {Curve|null} null: the page has none */
export function curveOf(payload) {
  const running = payload.column('curve.running');
  const {time} = payload.head;
  if (!running || !running.length || !time) return null;
  const ready = payload.column('curve.ready') ?? new Uint32Array(running.length);
  const made = {
    start: timeOf(time, 0),
    end: timeOf(time, time.buckets),
    running: Float64Array.from(running, (value) => value / 100),
    ready: Float64Array.from(ready, (value) => value / 100),
    most: 0,
  };
  made.running.forEach((value, bin) => {
    made.most = Math.max(made.most, value + made.ready[bin]);
  });
  return made;
}

/** The average of bins over a time; outside of the curve there is nothing. */
export function curveMean(curve, values, from, to) {
  const size = (curve.end - curve.start) / values.length;
  const first = Math.max(0, (from - curve.start) / size);
  const end = Math.min(values.length, (to - curve.start) / size);
  if (!(end > first)) return 0;
  let sum = 0;
  for (let bin = Math.floor(first); bin < end; bin++)
    sum += values[bin] * (Math.min(end, bin + 1) - Math.max(first, bin));
  return (sum * size) / (to - from);
}

/** When a bucket begins. */
export function timeOf(time, bucket) {
  return (time.from_ns ?? 0) + bucket * time.bucket_ns;
}

/**
 * When the capture ends: within its last buckets, that stand for intervals of time.
 * `head.duration_ns` is of one capture, from its beginning or from where a part of it begins.
 */
export function endOf({time, duration_ns: duration = 0}) {
  const end = timeOf(time, time.buckets);
  const isLast = (at) => at > end - END_BUCKETS * time.bucket_ns && at <= end;
  return [timeOf(time, 0) + duration, duration].find(isLast) ?? end;
}

/** When a bucket begins, or the capture ends: as it is shown. */
export function shownTime(head, bucket) {
  return Math.min(timeOf(head.time, bucket), endOf(head));
}

/**
 * Buckets between two times in any order: at least one, within those that there are.
 * @returns {[number, number]}
 */
export function bucketsBetween(time, a, b) {
  const at = (ns) => (ns - (time.from_ns ?? 0)) / time.bucket_ns;
  const first = Math.min(Math.max(Math.floor(at(Math.min(a, b))), 0), time.buckets - 1);
  const end = Math.min(Math.max(Math.ceil(at(Math.max(a, b))), first + 1), time.buckets);
  return [first, end];
}
