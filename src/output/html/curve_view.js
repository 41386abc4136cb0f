// SPDX-License-Identifier: MIT
/** Colours of states, and the curve of how many threads ran, on a canvas. */
import {countText, timeText} from './amounts.js';
import {element} from './dom.js';
import {stateSwatch} from './piece_words.js';
import {PIECE_STATES} from './pieces.js';
import {curveMean, ticksOf} from './time_axis.js';

const TICK_WIDTH = 90;  // px, at least
const TICK_SIDE = 3;    // px to a number from the ends
const TICK_APART = 16;  // px to the number of the end

/** Values of CSS variables, as the theme has them now. */
export function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    states: PIECE_STATES.map((state) => value(`piece-${state}`)),
    texts: PIECE_STATES.map((state) => value(`piece-${state}-text`)),
    ground: value('ground'),
    line: value('line'),
    text: value('text'),
    dim: value('dim'),
    accent: value('accent'),
    match: value('match'),
    mono: value('mono'),
    font: value('font'),
  };
}

/** Gives a canvas the pixels of its place. @returns {{context, width, height, scale}} in CSS px */
export function fitCanvas(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  const [across, down] = [Math.max(1, Math.round(width * scale)), Math.round(height * scale)];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return {context, width, height, scale};
}

/** How many threads fill a curve's height. */
export function curveTop(curve) {
  return Math.max(1, curve.most);
}

/** What the colours of a curve stand for. */
export function curveLegend(curve) {
  const most = curveTop(curve);
  const words = Number.isInteger(most) ? countText(most, 'thread') : `${most.toFixed(1)} threads`;
  return [
    element('span', {class: 'curve-line'}, `up to ${words}`),
    element('span', {class: 'curve-line'}, stateSwatch(1), 'ready (no CPU)'),
    element('span', {class: 'curve-line'}, stateSwatch(0), 'running'),
  ];
}

/** Running threads, and on top of them those that were ready and had no CPU. */
export function drawCurve(context, curve, {from, to, width, top, height}, colours) {
  const most = curveTop(curve);
  const size = (to - from) / width;
  for (let x = 0; x < width; x++) {
    const begin = from + x * size;
    const running = (curveMean(curve, curve.running, begin, begin + size) * height) / most;
    const ready = (curveMean(curve, curve.ready, begin, begin + size) * height) / most;
    context.fillStyle = colours.states[0];
    context.fillRect(x, top + height - running, 1, running);
    context.fillStyle = colours.states[1];
    context.fillRect(x, top + height - running - ready, 1, ready);
  }
  context.fillStyle = colours.line;
  context.fillRect(0, top + height, width, 1);
}

/**
 * Marks of time, and at `textAt` their numbers, with that of the end where there is room.
 * @param {CanvasRenderingContext2D} context
 * @param {{from: number, to: number, width: number, textAt?: number, lineFrom: number,
 *   lineTo: number}} box  times in ns, the rest in px
 */
export function drawTicks(context, box, colours) {
  const {from, to, width, textAt, lineFrom, lineTo} = box;
  context.font = `11px ${colours.font}`;
  context.textBaseline = 'alphabetic';
  let taken = 0;  // px, by numbers up to the one at hand
  for (const {at, text} of ticksOf(from, to, Math.max(2, width / TICK_WIDTH))) {
    const x = ((at - from) / (to - from)) * width;
    context.fillStyle = colours.line;
    context.fillRect(Math.min(width - 1, Math.round(x)), lineFrom, 1, lineTo - lineFrom);
    if (textAt === undefined) continue;
    const room = context.measureText(text).width;
    context.fillStyle = colours.dim;
    const left = Math.max(TICK_SIDE, Math.min(x - room / 2, width - room - TICK_SIDE));
    context.fillText(text, left, textAt);
    taken = left + room;
  }
  const last = timeText(to);
  const left = width - context.measureText(last).width - TICK_SIDE;
  if (textAt !== undefined && left > taken + TICK_APART) context.fillText(last, left, textAt);
}

/** Calls `redraw` when the theme or the density of pixels changes. */
export function onThemeChange(redraw) {
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}
