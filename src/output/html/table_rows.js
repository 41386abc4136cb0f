// SPDX-License-Identifier: MIT
/**
 * The rows of the table of functions: which there are, in which order, and how their shares changed
 * against a baseline. Knows no DOM.
 */
import {changeOf} from './model.js';

/**
 * @typedef {object} RowSource what the rows are of
 * @property {import('./model.js').Sums} sums
 * @property {import('./model.js').Sums} now         the same, or what the baseline is compared with
 * @property {import('./model.js').Sums|null} base   null: nothing is compared
 * @property {string} weight
 * @property {Uint8Array|null} matches               by function 1: the search matches; null: all do
 * @property {number|null} module                    of this module only
 */

/**
 * @typedef {object} TableColumn
 * @property {string} id     as in State.sort
 * @property {string} name
 * @property {string} title
 * @property {boolean} number  numbers start with the greatest, texts with the first
 */

const CHANGE_COLUMNS = [
  {
    id: 'selfchange',
    name: 'Δ self',
    title: 'Change of the share of self, in percentage points',
    number: true
  },
  {
    id: 'totalchange',
    name: 'Δ total',
    title: 'Change of the share of total, in percentage points',
    number: true
  },
];

/** @returns {TableColumn[]} */
export function tableColumns(compares) {
  return [
    {
      id: 'self',
      name: 'Self',
      title: 'In the function itself; share of the selection',
      number: true
    },
    {
      id: 'total',
      name: 'Total',
      title: 'In the function and what it calls; share of the selection',
      number: true
    },
    ...(compares ? CHANGE_COLUMNS : []),
    {id: 'function', name: 'Function', title: 'Function', number: false},
    {id: 'module', name: 'Module', title: 'Executable or library', number: false},
  ];
}

/** @returns {{column: TableColumn, ascending: boolean}} of State.sort; self if it is not known */
export function readSort(sort, columns) {
  const ascending = sort.startsWith('-');
  const column = columns.find(({id}) => id === sort.slice(ascending ? 1 : 0));
  return column ? {column, ascending} : {column: columns[0], ascending: false};
}

/** State.sort after a click on a column: the other way round, if it was sorted by it already. */
export function nextSort(sort, column, columns) {
  const now = readSort(sort, columns);
  const ascending = now.column.id === column.id ? !now.ascending : !column.number;
  return (ascending ? '-' : '') + column.id;
}

/** Places of functions when sorted by `textOf`, made once for each model. */
function ranksOf(model, cache, textOf) {
  let ranks = cache.get(model);
  if (ranks) return ranks;
  const texts = Array.from({length: model.functionCount}, (_, func) => textOf(func));
  const order = Uint32Array.from(texts.keys());
  order.sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : a - b));
  ranks = new Float64Array(model.functionCount);
  let rank = 0;
  order.forEach((func, i) => {
    if (i > 0 && texts[func] !== texts[order[i - 1]]) rank++;
    ranks[func] = rank;
  });
  cache.set(model, ranks);
  return ranks;
}

const nameRanks = new WeakMap();
const moduleRanks = new WeakMap();

function ranksOfNames(model) {
  return ranksOf(model, nameRanks, (func) => model.functionLabel(func));
}

/** What a column sorts by, by function. @param {RowSource} source @returns {Float64Array} */
function sortKeys(model, source, id) {
  const {sums, now, base} = source;
  const changes = (kind) => {
    const keys = new Float64Array(model.functionCount);
    for (let func = 0; func < keys.length; func++)
      keys[func] = changeOf(now[kind][func], now, base[kind][func], base).points;
    return keys;
  };
  switch (id) {
    case 'total':
      return sums.functionTotal;
    case 'selfchange':
      return changes('functionSelf');
    case 'totalchange':
      return changes('functionTotal');
    case 'function':
      return ranksOfNames(model);
    case 'module':
      return ranksOf(model, moduleRanks, (func) => model.moduleOf(func)?.name ?? '');
    default:
      return sums.functionSelf;
  }
}

/**
 * Functions that have a weight, here or in the baseline, in the order of `sort`. Those that are
 * equal in it are in the order of self, then total, then name.
 * @param {import('./model.js').Model} model @param {RowSource} source
 * @returns {{rows: Uint32Array, all: number}} `all`: how many there are without search and module
 */
export function listRows(model, source, sort) {
  const {sums, base, matches, module} = source;
  const {functionTotal} = sums;
  const moduleOf = model.head.functions.module;
  const list = new Uint32Array(model.functionCount);
  let all = 0;
  let count = 0;
  for (let func = 0; func < functionTotal.length; func++) {
    if (!(functionTotal[func] > 0) && !(base && base.functionTotal[func] > 0) &&
        !(base && source.now.functionTotal[func] > 0))
      continue;
    all++;
    if (matches && !matches[func]) continue;
    if (module !== null && moduleOf[func] !== module) continue;
    list[count++] = func;
  }
  const {column, ascending} = readSort(sort, tableColumns(!!base));
  const rows = list.slice(0, count);
  const keys = sortKeys(model, source, column.id);
  const {functionSelf} = sums;
  const names = ranksOfNames(model);
  const sign = ascending ? 1 : -1;
  rows.sort(
      (a, b) => sign * (keys[a] - keys[b]) || functionSelf[b] - functionSelf[a] ||
          functionTotal[b] - functionTotal[a] || names[a] - names[b] || a - b);
  return {rows, all};
}

/**
 * Modules by how much of the selection is in them themselves, the greatest first; those that have
 * nothing but calls of others have 0.
 * @returns {{module: number, self: number, functions: number}[]}
 */
export function listModules(model, sums) {
  const of = model.head.functions.module;
  const modules = new Map();
  for (let func = 0; func < model.functionCount; func++) {
    if (!(sums.functionTotal[func] > 0) || of[func] === undefined) continue;
    const known = modules.get(of[func]) ?? {module: of[func], self: 0, functions: 0};
    known.self += sums.functionSelf[func];
    known.functions++;
    modules.set(of[func], known);
  }
  return [...modules.values()].sort((a, b) => b.self - a.self || a.module - b.module);
}

/** Which rows to draw of those that a scrolled box has in sight, with some more at both ends. */
export function rowsInSight(top, height, rowHeight, count, margin) {
  const first = Math.max(0, Math.floor(top / rowHeight) - margin);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + margin);
  return [Math.min(first, count), Math.max(end, Math.min(first, count))];
}
