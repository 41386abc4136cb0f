// SPDX-License-Identifier: MIT
/** Along time: who held an object, and how many waited for it. */
import {countText, timeText} from './amounts.js';
import {drawTicks, fitCanvas, onThemeChange, themeColours} from './curve_view.js';
import {element, visible} from './dom.js';
import {holderText} from './piece_words.js';
import {bucketsBetween} from './time_axis.js';
import {onDrag} from './time_drag.js';
import {hideTip, showTip} from './tip.js';
import {episodeAt} from './waits_model.js';

const LANE_HELD = 20;
const LANE_WAITS = 26;
const LANE_HEIGHT = 68;

/** How many wait at each pixel, on average. */
function waitersOf(waited, from, size, width) {
  const sums = new Float64Array(width);
  for (const wait of waited.waits) {
    const begin = (wait.from - from) / size;
    const end = Math.min(width, (wait.to - from) / size);
    for (let x = Math.floor(begin); x < end; x++)
      sums[x] += Math.min(end, x + 1) - Math.max(begin, x);
  }
  return sums;
}

export class WaitLane {
  /** @param {(time: number) => void} pick  is called with a time that was clicked */
  constructor(app, pick) {
    this.app = app;
    this.pick = pick;
    this.at = null;
    this.canvas = element('canvas', {class: 'wt-lane', role: 'img'});
    this.drag = null;
    onDrag(this.canvas, {
      moved: (a, b) => {
        this.drag = [Math.min(a, b), Math.max(a, b)];
        hideTip();
        this.draw();
      },
      done: (a, b) =>
          app.set({span: bucketsBetween(app.head.time, this.timeAt(a), this.timeAt(b))}),
      click: (event) => pick(this.under(event)),
      ended: () => {
        this.drag = null;
      },
    });
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', hideTip);
    onThemeChange(() => this.draw());
  }

  show(waited, episodes, at) {
    this.waited = waited;
    this.episodes = episodes;
    this.at = at;
    this.canvas.setAttribute(
        'aria-label', `Who held it when: ${countText(episodes.length, 'stretch', 'stretches')}`);
    this.draw();
  }

  timeAt(x) {
    const {from, to} = this.waited;
    return from + ((to - from) * x) / this.canvas.clientWidth;
  }

  under(event) {
    return this.timeAt(event.clientX - this.canvas.getBoundingClientRect().left);
  }

  hover(event) {
    if (event.buttons) return;
    const {head} = this.app;
    const time = this.under(event);
    const found = episodeAt(this.episodes, time);
    const lines = [element('p', {class: 'dim'}, timeText(time))];
    if (found)
      lines.push(
          element(
              'p', {},
              `held by ${holderText(head, found.holder)}${found.inferred ? ' (inferred)' : ''}`),
          element(
              'p', {},
              `from ${timeText(found.from)} to ${timeText(found.to)}, ` +
                  `${countText(found.waiters, 'thread')} waited`));
    else
      lines.push(element('p', {}, 'nobody was seen waiting that could tell who holds it'));
    showTip(event.clientX, event.clientY, ...lines);
  }

  draw() {
    const width = this.canvas.clientWidth;
    if (!this.waited || !width) return;
    const colours = themeColours();
    const {context} = fitCanvas(this.canvas, width, LANE_HEIGHT);
    const {from, to} = this.waited;
    const size = (to - from) / width;
    this.drawHolders(context, from, size, colours);
    const waiters = waitersOf(this.waited, from, size, width);
    const most = Math.max(1, ...waiters);
    context.fillStyle = colours.states[2];
    for (let x = 0; x < width; x++) {
      const high = (waiters[x] / most) * LANE_WAITS;
      context.fillRect(x, LANE_HELD + 2 + LANE_WAITS - high, 1, high);
    }
    const bottom = LANE_HELD + 2 + LANE_WAITS;
    drawTicks(
        context, {from, to, width, textAt: LANE_HEIGHT - 3, lineFrom: bottom, lineTo: bottom + 4},
        colours);
    this.drawMarks(context, size, colours);
  }

  drawHolders(context, start, size, colours) {
    context.font = `11px ${colours.font}`;
    context.textBaseline = 'middle';
    for (const {holder, from, to} of this.episodes) {
      const x = (from - start) / size;
      const room = Math.max(1, (to - from) / size - 0.5);
      context.fillStyle = colours.accent;
      context.fillRect(x, 0, room, LANE_HELD);
      if (room < 40) continue;
      const words = this.wordsWithin(context, holder, room - 8);
      context.fillStyle = colours.ground;
      context.fillText(words, x + 4, LANE_HELD / 2 + 1, room - 8);
    }
  }

  /** What a holder is called in some room: all, its name alone, or what there is room for. */
  wordsWithin(context, holder, room) {
    const {head} = this.app;
    const name = head.threads[holder.thread]?.name;
    const all = [holderText(head, holder), name ? visible(name) : ''].filter(Boolean);
    const found = all.find((words) => context.measureText(words).width <= room);
    if (found) return found;
    const shortest = all[all.length - 1];
    const cells = Math.floor((shortest.length * room) / context.measureText(shortest).width);
    return `${shortest.slice(0, Math.max(1, cells - 1))}…`;
  }

  drawMarks(context, size, colours) {
    if (this.at !== null && this.at >= this.waited.from && this.at <= this.waited.to) {
      context.fillStyle = colours.text;
      context.fillRect((this.at - this.waited.from) / size - 1, 0, 2, LANE_HEIGHT - 16);
    }
    if (!this.drag) return;
    context.globalAlpha = 0.3;
    context.fillStyle = colours.accent;
    context.fillRect(this.drag[0], 0, this.drag[1] - this.drag[0], LANE_HEIGHT - 16);
    context.globalAlpha = 1;
  }
}
