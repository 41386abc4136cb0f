// What the benchmark lets node do while it is sampled: recursion, JSON, regular expressions, sorting.
// usage: workload.js SECONDS
'use strict';

const zlib = require('zlib');

const fibonacci = (n) => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
const nested = (depth) =>
  depth ? {left: nested(depth - 1), right: [nested(depth - 1), depth]} : {leaf: 'x'.repeat(20)};

const end = Date.now() + 1000 * Number(process.argv[2]);
const text = Array.from({length: 2000}, (_, i) => `item-${i}`).join(',');
while (Date.now() < end) {
  fibonacci(20);
  const copy = JSON.stringify(JSON.parse(JSON.stringify(nested(8))));
  text.match(/(\w+)-(\d+)(?=,|$)/g).sort((a, b) => (a < b ? 1 : -1));
  zlib.gunzipSync(zlib.gzipSync(copy));
}
