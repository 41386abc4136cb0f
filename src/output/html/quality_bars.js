// SPDX-License-Identifier: MIT
/** Bars of parts of a whole: how chains end, how frames were found. */
import {percentText} from './amounts.js';
import {element, svgElement} from './dom.js';
import {weighTrusts} from './flame_weights.js';
import {trustTitle, trustWords} from './words.js';

/** How good each way to find a caller is; those that are not named here are as good as tables. */
const POOR = new Set(['fp', 'lr', 'scan']);
const FAIR = new Set(['prologue']);

/** @typedef {{name: string, title: string, value: number, kind: 'good'|'fair'|'poor'}} Part */

/**
 * Weight of the frames that each source found; the innermost frame of a chain needs none.
 * @returns {Part[]} heaviest first
 */
export function trustParts(model, sums) {
  const byTrust = weighTrusts(model, sums);
  return model.head.trusts
      .map((name, trust) => ({
             name: trustWords(name),
             title: trustTitle(name),
             value: name === 'context' ? 0 : byTrust[trust],
             kind: trustKind(name)
           }))
      .filter((part) => part.value > 0)
      .sort((a, b) => b.value - a.value);
}

/** @returns {'good'|'fair'|'poor'} */
export function trustKind(name) {
  if (POOR.has(name)) return 'poor';
  return FAIR.has(name) ? 'fair' : 'good';
}

/** A bar and its legend. @param {Part[]} parts @param {number|null} total  null: their sum */
export function partBar(label, parts, total) {
  const whole = total ?? parts.reduce((sum, part) => sum + part.value, 0);
  if (whole <= 0) return null;
  const bar = svgElement('svg', {
    class: 'part-bar',
    viewBox: '0 0 1000 14',
    role: 'img',
    preserveAspectRatio: 'none',
    'aria-label': `${label}: ${
        parts.map((part) => `${part.name} ${percentText(part.value, whole)}`).join(', ')}`
  });
  let x = 0;
  for (const part of parts) {
    const width = (part.value / whole) * 1000;
    bar.append(svgElement(
        'rect', {x, y: 0, width: Math.max(0, width - 2), height: 14, class: `part-${part.kind}`}));
    x += width;
  }
  const legend = element(
      'ul', {class: 'part-legend'},
      ...parts.map(
          (part) => element(
              'li', {class: `part-${part.kind}`, title: part.title},
              `${part.name} ${percentText(part.value, whole)}`)));
  return element('div', {class: 'parts'}, bar, legend);
}
