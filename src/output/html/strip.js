// SPDX-License-Identifier: MIT
/** The strip above all views: how many threads ran when, and the time that is chosen. */
import {timeText} from './amounts.js';
import {curveLegend, drawCurve, drawTicks, fitCanvas, onThemeChange, themeColours} from './curve_view.js';
import {element, replace} from './dom.js';
import {bucketsBetween, curveMean, endOf, shownTime, timeOf} from './time_axis.js';
import {appCurve, chosenTime} from './time_data.js';
import {onDrag} from './time_drag.js';
import {hideTip, say, showTip} from './tip.js';
import {spanText} from './words.js';

const STRIP_TOP = 2;
const STRIP_CURVE = 26;
const STRIP_HEIGHT = 44;
const STRIP_PAGES = 20;  // of the page keys along the whole time

/** "1.3 threads running, 0.4 ready". */
function curveWords(curve, from, to) {
  const running = curveMean(curve, curve.running, from, to).toFixed(2);
  const ready = curveMean(curve, curve.ready, from, to).toFixed(2);
  return Number(ready) ? `${running} threads running, ${ready} ready without a CPU` :
                         `${running} threads running`;
}

class Strip {
  constructor(app, root) {
    this.app = app;
    this.time = app.head.time;
    this.curve = appCurve(app);
    this.whole = [timeOf(this.time, 0), endOf(app.head)];
    this.canvas = element('canvas', {class: 'strip-curve', role: 'img'});
    this.shades = [element('div', {class: 'strip-shade'}), element('div', {class: 'strip-shade'})];
    this.handles = [this.makeHandle(0, 'Beginning'), this.makeHandle(1, 'End')];
    this.plot = element('div', {class: 'strip-plot'}, this.canvas, ...this.shades, ...this.handles);
    this.legend = element(
        'span', {
          class: 'strip-legend dim',
          title: 'How many threads ran, and on top of them were ready without a CPU'
        },
        ...(this.curve ? curveLegend(this.curve) : []));
    replace(root, this.legend, this.plot);
    onDrag(this.plot, {
      moved: (a, b) => this.showSpan(this.bucketsAt(a, b)),
      done: (a, b) => this.choose(this.bucketsAt(a, b)),
      ended: () => this.showSpan(this.app.state.span),
    });
    this.plot.addEventListener('dblclick', () => app.set({span: null}));
    this.plot.addEventListener('pointermove', (event) => this.hover(event));
    this.plot.addEventListener('pointerleave', hideTip);
    onThemeChange(() => this.draw());
  }

  makeHandle(side, name) {
    const handle = element('div', {
      class: 'strip-handle',
      role: 'slider',
      tabindex: '0',
      'aria-label': `${name} of the chosen time`,
      'aria-valuemin': '0',
      'aria-valuemax': String(this.time.buckets),
      onkeydown: (event) => this.key(event, side),
    });
    let held = false;
    handle.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      held = true;
      handle.setPointerCapture(event.pointerId);
      event.stopPropagation();
    });
    handle.addEventListener('pointermove', (event) => {
      if (held) this.showSpan(this.moved(side, this.bucketAt(event)));
    });
    handle.addEventListener('pointerup', (event) => {
      if (held) this.choose(this.moved(side, this.bucketAt(event)));
      held = false;
    });
    handle.addEventListener('pointercancel', () => {
      held = false;
      this.showSpan(this.app.state.span);
    });
    return handle;
  }

  /** The bucket border next to a pointer. */
  bucketAt(event) {
    const {left, width} = this.plot.getBoundingClientRect();
    const [start, end] = this.whole;
    const part = (event.clientX - left) / width;
    return part >= 1 ? this.time.buckets : Math.round((part * (end - start)) / this.time.bucket_ns);
  }

  bucketsAt(a, b) {
    const [start, end] = this.whole;
    const at = (x) => start + ((end - start) * x) / this.plot.clientWidth;
    return bucketsBetween(this.time, at(a), at(b));
  }

  /**
   * The span with one of its ends elsewhere; it keeps a bucket at least.
   * @returns {[number, number]}
   */
  moved(side, bucket) {
    const [first, end] = this.app.state.span ?? [0, this.time.buckets];
    return side === 0 ? [Math.min(Math.max(bucket, 0), end - 1), end] :
                        [first, Math.max(Math.min(bucket, this.time.buckets), first + 1)];
  }

  /** @param {[number, number]} span */
  choose([first, end]) {
    const all = first === 0 && end === this.time.buckets;
    this.app.set({span: all ? null : [first, end]});
    say(all ? 'all of the time' : spanText(this.app, [first, end]));
  }

  key(event, side) {
    const {buckets} = this.time;
    const at = (this.app.state.span ?? [0, buckets])[side];
    const page = Math.max(1, Math.round(buckets / STRIP_PAGES));
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - page,
      PageUp: at + page,
      Home: 0,
      End: buckets,
    }[event.key];
    if (event.key === 'Escape' && this.app.state.span)
      this.app.set({span: null});
    else if (to !== undefined)
      this.choose(this.moved(side, to));
    else
      return;
    event.preventDefault();
    event.stopPropagation();
  }

  hover(event) {
    const {left, width} = this.plot.getBoundingClientRect();
    const [start, end] = this.whole;
    const size = (end - start) / width;
    const at = start + (event.clientX - left) * size;
    const words = this.curve ? `: ${curveWords(this.curve, at, at + size)}` : '';
    showTip(
        event.clientX, event.clientY, element('p', {}, `${timeText(at)}${words}`),
        element('p', {class: 'dim'}, 'drag to choose a time, double click for all of it'));
  }

  /** Draws what is chosen, or is about to be. */
  showSpan(span) {
    const [start, last] = this.whole;
    const [first, end] = span ?? [0, this.time.buckets];
    const share = (bucket) => (100 * (shownTime(this.app.head, bucket) - start)) / (last - start);
    this.shades[0].style.width = `${share(first)}%`;
    this.shades[1].style.width = `${100 - share(end)}%`;
    [first, end].forEach((bucket, side) => {
      const handle = this.handles[side];
      handle.style.left = `${share(bucket)}%`;
      handle.setAttribute('aria-valuenow', String(bucket));
      handle.setAttribute('aria-valuetext', timeText(shownTime(this.app.head, bucket)));
    });
    this.plot.classList.toggle('strip-chosen', !!span);
  }

  draw() {
    const width = this.plot.clientWidth;
    const colours = themeColours();
    const {context} = fitCanvas(this.canvas, width, STRIP_HEIGHT);
    const [from, to] = this.whole;
    if (this.curve) {
      const box = {from, to, width, top: STRIP_TOP, height: STRIP_CURVE};
      drawCurve(context, this.curve, box, colours);
    }
    const bottom = STRIP_TOP + STRIP_CURVE;
    drawTicks(
        context, {from, to, width, textAt: STRIP_HEIGHT - 2, lineFrom: bottom, lineTo: bottom + 4},
        colours);
  }

  update(changed) {
    if (!changed || changed.has('size')) this.draw();
    if (!changed || changed.has('span') || changed.has('size')) {
      this.showSpan(this.app.state.span);
      const [from, to] = chosenTime(this.app);
      this.canvas.setAttribute(
          'aria-label',
          this.curve ? `${timeText(from)} to ${timeText(to)}: ${curveWords(this.curve, from, to)}` :
                       `${timeText(from)} to ${timeText(to)}`);
    }
  }
}

/** @param {import('./app.js').App} app */
export function createStrip(app, root) {
  if (!app.head.time) return {update() {}};
  const strip = new Strip(app, root);
  strip.update(null);
  return {update: (changed) => strip.update(changed)};
}
