// SPDX-License-Identifier: MIT
/** Draws what of the flame graphs is in the viewport into a canvas. */
import {percentText, weightWords} from './amounts.js';
import {assignModules, changeSlot, inkScheme} from './colours.js';
import {shortened, visible} from './dom.js';
import {FLAME_NARROW} from './flame_layout.js';
import {weighModules} from './flame_weights.js';
import {changeOf} from './model.js';

const FLAME_TEXT_SIZE = 12;
const FLAME_PADDING = 4;

/** How frames are coloured: a link may ask for changes where there is no baseline. */
export function flameColour(app) {
  const {colour} = app.state;
  return colour === 'change' && !app.model.base ? 'module' : colour;
}

const NO_SIDE = {
  sum: 0,
  carriers: 0
};

/** What of a rectangle's two sides is now and what the baseline. */
export function flameSides(app, layout, rect) {
  const isBase = app.state.side === 'base';
  const [shown, other] = [layout.weight[rect], layout.other[rect]];
  const [now, base] = isBase ? [other, shown] : [shown, other];
  return {now, nowSide: app.sums(), base, baseSide: app.baseSums() ?? NO_SIDE};
}

export class FlamePainter {
  /**
   * @param {import('./app.js').App} app
   * @param {HTMLCanvasElement} canvas
   * @param {import('./flame_names.js').FlameNames} names
   */
  constructor(app, canvas, names) {
    this.app = app;
    this.canvas = canvas;
    this.names = names;
    this.context = canvas.getContext('2d', {alpha: false});
    const {head, model} = app;
    const all =
        model.sums({weight: head.weight, threads: null, first: 0, end: Infinity, states: null});
    this.moduleSlots =
        assignModules(head.modules.map((module) => module.path), weighModules(model, all));
    this.font = getComputedStyle(canvas).fontFamily;
    this.setScheme(false);
  }

  /** Colours for a light or a dark ground. */
  setScheme(isDark) {
    this.scheme = inkScheme(this.app.head.trusts, isDark);
  }

  /** The colours of a module; of all that have none of their own the last. */
  moduleInk(module) {
    const slot = this.moduleSlots[module] ?? -1;
    return slot < 0 ? this.scheme.module.at(-1) : this.scheme.module[slot];
  }

  /** By rectangle its inks, as the colours are chosen. */
  inkChooser(layout) {
    const {app} = this;
    const colour = flameColour(app);
    if (colour === 'trust')
      return (rect) => this.scheme.trust[layout.mark[rect]] ?? this.scheme.grey;
    if (colour === 'change') {
      if (!layout.hasOther) return () => this.scheme.grey;
      return (rect) => {
        const {now, nowSide, base, baseSide} = flameSides(app, layout, rect);
        return this.scheme.change[changeSlot(changeOf(now, nowSide, base, baseSide))];
      };
    }
    const moduleOf = app.head.functions.module;
    return (rect) => this.moduleInk(moduleOf[layout.func[rect]]);
  }

  /**
   * @param {import('./flame_stack.js').FlameStack} stack
   * @param {object} place
   * @param {number} place.top     pixels of the graphs above the canvas
   * @param {number} place.width   of the canvas, in CSS pixels
   * @param {number} place.height
   * @param {number} place.rowHeight
   */
  paint(stack, {top, width, height, rowHeight}) {
    const {canvas, context} = this;
    const ratio = window.devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.scheme.ground;
    context.fillRect(0, 0, width, height);
    context.textBaseline = 'middle';
    this.setFont('');
    this.advance = context.measureText('0'.repeat(50)).width / 50;
    const first = Math.floor(top / rowHeight);
    const end = Math.ceil((top + height) / rowHeight);
    this.area = {top, width, rowHeight, first, end};
    for (const graph of stack.between(first, end)) this.paintGraph(stack, graph);
  }

  setFont(weight) {
    this.context.font = `${weight} ${FLAME_TEXT_SIZE}px ${this.font}`;
  }

  paintGraph(stack, graph) {
    const {layout, row} = graph;
    const {first, end} = this.area;
    const chooser = this.inkChooser(layout);
    const selected = [];
    for (let i = Math.max(0, first - row); i < Math.min(layout.rows, end - row); i++) {
      if (i === 0)
        this.paintHeading(stack, graph);
      else
        this.paintRow(layout, i, row, chooser, selected);
    }
    this.paintSelected(selected);
  }

  paintRow(layout, index, firstRow, chooser, selected) {
    const {context, app} = this;
    const {top, width, rowHeight} = this.area;
    const matches = app.matches();
    const {func} = app.state;
    const scale = width / layout.scale;
    const y = (firstRow + index) * rowHeight - top;
    const isAbove = index < layout.above;
    const texts = [];
    let filled = '';
    for (let rect = layout.rowStart[index]; rect < layout.rowStart[index + 1]; rect++) {
      const known = layout.func[rect];
      const x = layout.start[rect] * scale;
      const wide = layout.width(rect) * scale;
      let inks = known === FLAME_NARROW ? this.scheme.grey : chooser(rect);
      let isFaded = isAbove;
      if (matches && known >= 0 && matches[known])
        inks = this.scheme.match;
      else if (matches)
        isFaded = true;
      const ink = inks[Number(isFaded)];
      if (ink.fill !== filled) context.fillStyle = filled = ink.fill;
      context.fillRect(x, y, wide > 3 ? wide - 1 : Math.max(wide, 0.5), rowHeight - 1);
      if (wide > 3 * this.advance + 2 * FLAME_PADDING) texts.push({rect, x, wide, ink});
      if (known === func && func !== null) selected.push([x, y, Math.max(wide - 1, 1)]);
    }
    for (const {rect, x, wide, ink} of texts) this.paintName(layout, rect, x, y, wide, ink);
  }

  paintName(layout, rect, x, y, wide, ink) {
    const room = wide - 2 * FLAME_PADDING - 1;
    const most = Math.floor(room / this.advance);
    const func = layout.func[rect];
    const text = func === FLAME_NARROW ? shortened(`${layout.members[rect]} more`, most) :
                                         this.names.fitted(func, most);
    if (text) this.paintText(text, x + FLAME_PADDING, y + this.area.rowHeight / 2, room, ink.text);
  }

  /** Text within a width; letters that are not as wide as others are squeezed at most. */
  paintText(text, x, y, room, colour) {
    this.context.fillStyle = colour;
    // eslint-disable-next-line no-control-regex
    if (/^[\x20-\x7e]*$/.test(text))
      this.context.fillText(text, x, y);
    else
      this.context.fillText(text, x, y, room);
  }

  /** The root's row: what the graph is of. */
  paintHeading(stack, graph) {
    const {context, area} = this;
    const y = graph.row * area.rowHeight - area.top;
    const [{fill, text}] = this.scheme.grey;
    context.fillStyle = fill;
    context.fillRect(0, y, area.width, area.rowHeight - 1);
    this.setFont('bold');
    const room = area.width - 2 * FLAME_PADDING;
    const words = shortened(flameHeading(this.app, stack, graph), Math.floor(room / this.advance));
    this.paintText(words, FLAME_PADDING, y + area.rowHeight / 2, room, text);
    this.setFont('');
  }

  paintSelected(places) {
    const {context, area} = this;
    context.strokeStyle = this.scheme.line;
    context.lineWidth = 2;
    for (const [x, y, wide] of places)
      if (wide > 4)
        context.strokeRect(x + 1, y + 1, wide - 2, area.rowHeight - 3);
      else
        context.strokeRect(x, y + 1, Math.max(wide, 1), area.rowHeight - 3);
  }
}

/** "all · 1234 samples", "worker · 8 threads · 12 samples · 1.0 %". */
export function flameHeading(app, stack, graph) {
  const {layout} = graph;
  const weight = layout.weight[0];
  const parts = [visible(graph.name)];
  if (graph.threads) parts.push(`${graph.threads} thread${graph.threads === 1 ? '' : 's'}`);
  parts.push(weightWords(app.state.weight, weight));
  if (graph.threads) parts.push(percentText(weight, stack.sum));
  if (!layout.isFound) parts.push('nothing here of the frame that is zoomed into');
  return parts.join(' · ');
}
