// SPDX-License-Identifier: MIT
/** What each thread did when: rows of threads along time. */
import {countText, timeText} from './amounts.js';
import {curveLegend, drawCurve, drawTicks, fitCanvas, onThemeChange, themeColours} from './curve_view.js';
import {element, replace, visible} from './dom.js';
import {pieceFunction, stateName, stateShares} from './piece_words.js';
import {UNKNOWN_STATE} from './pieces.js';
import {bucketsBetween, endOf, shownTime, timeOf} from './time_axis.js';
import {appCurve, appPieces, appRows, appWaits, chosenTime, pieceSelection, textFunctions} from './time_data.js';
import {onDrag} from './time_drag.js';
import {calledText} from './time_innermost.js';
import {pieceLines, RowPainter} from './timeline_rows.js';
import {hideTip, say, showTip} from './tip.js';
import {VariablesBox} from './values_view.js';
import {spanText, threadName} from './words.js';

const ROW_PITCH = 20;
const HEAD_HEIGHT = 78;  // of the curve and the numbers of time
const HEAD_CURVE = 46;
const ZOOM_STEP = 1.5;
const ZOOM_LEAST = 1000;  // ns that are seen at the least
const TIP_FUNCTIONS = 3;

/** What is said where the page has not all changes. */
export const COARSE_WORDS =
    'There were so many changes that a thread has one state, and waits for ' +
    'one thing, in each interval of time: short ones are missing.';

/** Of a thread that was there: why nothing is told, where its samples begin and later. */
const UNSEEN_BEFORE = 'It was there; its first sample came only after this.';
const UNSEEN_BETWEEN = 'The next sample of it came late; why is not known.';

const KEYS_HELP =
    'Up and down: threads. Left and right: pieces of time. Enter: choose this thread ' +
    'and time. Space: choose the thread. + and -: zoom, 0: all, z: to the chosen time.';

class TimelineView {
  constructor(app, root) {
    this.app = app;
    this.pieces = appPieces(app);
    this.waits = appWaits(app);
    this.curve = appCurve(app);
    const {time} = app.head;
    /** @type {[number, number]} */
    this.whole = [timeOf(time, 0), endOf(app.head)];
    this.range = [this.whole[0], this.whole[1]];
    this.allRows = appRows(app).filter(
        ({thread}) => this.pieces.start[thread + 1] > this.pieces.start[thread]);
    this.painter = new RowPainter(app.head, this.pieces, this.waits);
    this.focus = null;  // {row, piece}: the frame that the keyboard moves
    this.drag = null;
    this.lastPicked = -1;
    this.nameNodes = new Map();  // by row
    this.onlyChosen = false;
    this.makeDom(root);
    onThemeChange(() => this.draw());
  }

  makeDom(root) {
    this.toChosen = this.button('To the chosen time', () => this.zoomToChosen());
    this.rangeText = element('span', {class: 'tl-range number'});
    const only = element('input', {
      type: 'checkbox',
      onchange: (event) => {
        this.onlyChosen = event.target.checked;
        this.listRows();
        this.draw();
      }
    });
    this.only = element('label', {class: 'tl-only'}, only, ' only chosen threads');
    const bar = element(
        'div', {class: 'bar-row'},
        element(
            'div', {class: 'segments tl-buttons', role: 'group', 'aria-label': 'Zoom of time'},
            this.button('−', () => this.zoom(ZOOM_STEP), 'Zoom out (-)'),
            this.button('+', () => this.zoom(1 / ZOOM_STEP), 'Zoom in (+)'), this.toChosen,
            this.button('All', () => this.setRange(this.whole), 'All of the time (0)')),
        this.rangeText, this.only);
    this.legend = element('p', {class: 'piece-legend', 'aria-label': 'Shares of states'});
    this.corner =
        element('div', {class: 'tl-corner dim'}, ...(this.curve ? curveLegend(this.curve) : []));
    this.headCanvas = element('canvas', {class: 'tl-head-canvas', 'aria-hidden': 'true'});
    this.head = element('div', {class: 'tl-head'}, this.corner, this.headCanvas);
    this.names = element('div', {class: 'tl-names'});
    this.canvas = element('canvas', {
      class: 'tl-canvas',
      tabindex: '0',
      role: 'application',
      'aria-roledescription': 'timeline',
      'aria-describedby': 'tl-help',
      onkeydown: (event) => this.key(event),
      onblur: () => {
        hideTip();
        this.draw();
      },
      onfocus: () => this.draw(),
    });
    this.body = element('div', {class: 'tl-body'}, this.names, this.canvas);
    this.scroll =
        element('div', {class: 'tl-scroll', onscroll: () => this.draw()}, this.head, this.body);
    this.foot = element('p', {class: 'dim'});
    this.variables = new VariablesBox(this.app);
    replace(
        root, bar, this.legend, this.scroll, this.foot, this.variables.node,
        element('p', {class: 'dim', id: 'tl-help'}, `Drag to choose a time. Keys: ${KEYS_HELP}`));
    this.listen();
    this.listRows();
  }

  button(text, onclick, title = text) {
    return element('button', {type: 'button', title, 'aria-label': title, onclick}, text);
  }

  listen() {
    for (const node of [this.canvas, this.headCanvas]) {
      onDrag(node, {
        moved: (a, b) => {
          this.drag = this.bucketsAt(a, b);
          hideTip();
          this.draw();
        },
        done: (a, b) => {
          const span = this.bucketsAt(a, b);
          this.app.set({span});
          say(spanText(this.app, span));
        },
        click: (event) => node === this.canvas && this.pick(event),
        ended: () => {
          this.drag = null;
          this.draw();
        },
      });
      node.addEventListener('wheel', (event) => this.wheel(event, node), {passive: false});
    }
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', hideTip);
    this.canvas.addEventListener('dblclick', () => this.chooseFocus());
    this.headCanvas.addEventListener('dblclick', () => this.app.set({span: null}));
  }

  /** Rows that there are to see, and room for them. */
  listRows() {
    const {threads} = this.app.selection();
    this.rows = this.onlyChosen && threads ? this.allRows.filter(({thread}) => threads[thread]) :
                                             this.allRows;
    this.body.style.height = `${Math.max(1, this.rows.length) * ROW_PITCH}px`;
    this.nameNodes.clear();
    replace(this.names);
    this.foot.textContent = this.footWords();
  }

  /** What is not to be seen of the rows. */
  footWords() {
    const {captures = [], coarse, threads} = this.app.head;
    const {start} = this.pieces;
    const without = threads.filter((_, thread) => start[thread + 1] === start[thread]);
    // CPU time without a sample is of a process, and of no thread.
    const unseen = without.filter(({samples, tid, more}) => !samples && (tid || more)).length;
    const joined = without.reduce((sum, {more, samples}) => sum + (samples ? more ?? 1 : 0), 0);
    const inputs = new Set(captures.filter(({base}) => !base).map(({name}) => name));
    return [
      coarse ? COARSE_WORDS : '',
      this.pieces.cpu ? 'Colours are of what took most of a piece; shares of running and ready ' +
              'are by CPU time.' :
                        '',
      joined ? `${countText(joined, 'more thread')} without rows.` : '',
      unseen ? `${countText(unseen, 'more thread')} never sampled.` : '',
      inputs.size > 1 ? 'Times of each capture count from its own first sample.' : '',
    ].filter(Boolean)
        .join(' ');
  }

  // Time and place.

  /** A very narrow window has no room for the canvas: then each place is where time begins. */
  timeAt(x) {
    const [from, to] = this.range;
    return from + ((to - from) * x) / Math.max(1, this.canvas.clientWidth);
  }

  bucketsAt(a, b) {
    return bucketsBetween(this.app.head.time, this.timeAt(a), this.timeAt(b));
  }

  /** @param {number[]} range */
  setRange([from, to]) {
    const [start, end] = this.whole;
    const length = Math.min(Math.max(to - from, Math.min(ZOOM_LEAST, end - start)), end - start);
    const first = Math.min(Math.max(from, start), end - length);
    this.range = [first, first + length];
    this.draw();
  }

  /** `factor` times as much time, with that at `x` (px) staying where it is. */
  zoom(factor, x = this.canvas.clientWidth / 2) {
    const [from, to] = this.range;
    const at = this.timeAt(x);
    this.setRange([at - (at - from) * factor, at + (to - at) * factor]);
  }

  zoomToChosen() {
    this.setRange(chosenTime(this.app));
  }

  /** Shows what was chosen elsewhere, with what is around it. */
  showChosen() {
    const [from, to] = chosenTime(this.app);
    if (this.app.state.span) this.setRange([2 * from - to, 2 * to - from]);
  }

  wheel(event, node) {
    const over = node === this.headCanvas;
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (event.ctrlKey || (over && !sideways)) {
      const x = event.clientX - node.getBoundingClientRect().left;
      this.zoom(event.deltaY > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, x);
    } else if (sideways) {
      const [from, to] = this.range;
      const step = this.timeAt(event.deltaX || event.deltaY) - from;
      this.setRange([from + step, to + step]);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The row and the time under a pointer. */
  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top + this.scroll.scrollTop) / ROW_PITCH);
    return row >= 0 && row < this.rows.length ? {row, time: this.timeAt(event.clientX - box.left)} :
                                                null;
  }

  // What is chosen.

  pick(event) {
    const found = this.under(event);
    if (!found) return;
    const {thread} = this.rows[found.row];
    const piece = this.pieces.at(thread, found.time);
    this.focus = {row: found.row, piece};
    this.variables.tellPiece(thread, piece, found.time);
    const func = piece < 0 ? -1 : textFunctions(this.app)[this.pieces.text[piece]];
    if (func >= 0) this.app.set({func});
    this.draw();
  }

  chooseFocus() {
    const {row, piece} = this.focus ?? {piece: -1};
    if (piece < 0) return;
    const {begin, end} = this.pieces;
    const span = bucketsBetween(this.app.head.time, begin[piece], end[piece]);
    this.app.set({threads: [this.rows[row].thread], span});
    say(`chosen: ${threadName(this.app.head, this.rows[row].thread)}, ${spanText(this.app, span)}`);
  }

  /** Chooses the thread of a row; with ctrl one more or less, with shift all up to it. */
  chooseRow(row, event) {
    const {thread} = this.rows[row];
    const known = new Set(this.app.state.threads ?? []);
    if (event.shiftKey && this.lastPicked >= 0) {
      const [a, b] = [Math.min(row, this.lastPicked), Math.max(row, this.lastPicked)];
      for (let i = a; i <= Math.min(b, this.rows.length - 1); i++) known.add(this.rows[i].thread);
    } else if (event.ctrlKey || event.metaKey) {
      if (!known.delete(thread)) known.add(thread);
    } else {
      const alone = known.size === 1 && known.has(thread);
      known.clear();
      if (!alone) known.add(thread);
    }
    this.lastPicked = row;
    this.app.set({threads: known.size ? [...known].sort((a, b) => a - b) : null});
  }

  // Keyboard.

  key(event) {
    const {key} = event;
    if (key === 'Enter') {
      this.chooseFocus();
    } else if (key === ' ' && this.focus) {
      this.chooseRow(this.focus.row, event);
    } else if (key === '+' || key === '=') {
      this.zoom(1 / ZOOM_STEP);
    } else if (key === '-') {
      this.zoom(ZOOM_STEP);
    } else if (key === '0') {
      this.setRange(this.whole);
    } else if (key === 'z') {
      this.zoomToChosen();
    } else if (/^(Arrow|Home|End|Page)/.test(key)) {
      this.move(key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  move(key) {
    if (!this.rows.length) return;
    const {pieces} = this;
    const page = Math.max(1, Math.floor(this.canvas.clientHeight / ROW_PITCH) - 1);
    const step = {ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page}[key] ?? 0;
    const before = this.focus ?? {row: step > 0 ? -step : 0, piece: -1};
    const row = Math.min(Math.max(before.row + step, 0), this.rows.length - 1);
    const {thread} = this.rows[row];
    const [first, last] = [pieces.start[thread], pieces.start[thread + 1] - 1];
    let {piece} = before;
    if (step || piece < first || piece > last) {
      const time = this.focusTime ?? this.range[0];
      piece = Math.min(pieces.after(thread, time), last);
    }
    if (key === 'ArrowLeft') piece = Math.max(first, piece - 1);
    if (key === 'ArrowRight') piece = Math.min(last, piece + 1);
    if (key === 'Home') piece = first;
    if (key === 'End') piece = last;
    if (!step || this.focusTime === undefined) this.focusTime = pieces.begin[piece];
    this.focus = {row, piece};
    this.variables.tellPiece(thread, piece, this.pieces.begin[piece]);
    this.reveal();
    this.tipAtFocus();
    const {state, func, owner} = pieceLines(this.app.head, pieces, this.waits, piece);
    say([threadName(this.app.head, thread), state, func && `in ${func}`, owner, this.when(piece)]
            .filter(Boolean)
            .join(', '));
  }

  /** The box of what has the focus, below it. */
  tipAtFocus() {
    const {row, piece} = this.focus;
    const [from, to] = this.range;
    const box = this.canvas.getBoundingClientRect();
    const begin = Math.max(this.pieces.begin[piece], from);
    const y = box.top + (row + 1) * ROW_PITCH - this.scroll.scrollTop - ROW_PITCH / 2;
    showTip(
        box.left + ((begin - from) / (to - from)) * box.width, y,
        this.tipTitle(this.rows[row].thread), ...this.pieceTip(piece));
  }

  tipTitle(thread) {
    return element('p', {}, element('strong', {}, threadName(this.app.head, thread)));
  }

  /** What is told of one piece. */
  pieceTip(piece) {
    const {head} = this.app;
    const {state, owner} = pieceLines(head, this.pieces, this.waits, piece);
    const func = calledText(this.app, this.pieces.threadOf(piece), [piece]);
    return [
      element('p', {}, state), owner ? element('p', {}, owner) : null,
      func ? element('p', {class: 'code'}, func.slice(0, 400)) : null,
      this.pieces.state[piece] === UNKNOWN_STATE ? element('p', {}, this.unseenWords(piece)) : null,
      element('p', {class: 'dim'}, this.when(piece))
    ];
  }

  unseenWords(piece) {
    return piece === this.pieces.start[this.pieces.threadOf(piece)] ? UNSEEN_BEFORE :
                                                                      UNSEEN_BETWEEN;
  }

  /** Scrolls to what has the focus. */
  reveal() {
    const {row, piece} = this.focus;
    this.showRow(row);
    const [from, to] = this.range;
    const {begin, end} = this.pieces;
    if (end[piece] <= from || begin[piece] >= to)
      this.setRange([begin[piece] - (to - from) / 4, begin[piece] + ((to - from) * 3) / 4]);
    this.draw();
  }

  showRow(row) {
    const room = this.canvas.clientHeight;
    const top = row * ROW_PITCH;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    if (top + ROW_PITCH > this.scroll.scrollTop + room)
      this.scroll.scrollTop = top + ROW_PITCH - room;
  }

  when(piece) {
    const [begin, end] = [this.pieces.begin[piece], this.pieces.end[piece]];
    return `${timeText(begin)} to ${timeText(end)} (${timeText(end - begin)})`;
  }

  // What is under the pointer.

  hover(event) {
    const found = event.buttons ? null : this.under(event);
    if (!found) return hideTip();
    const {thread} = this.rows[found.row];
    const size = (this.range[1] - this.range[0]) / this.canvas.clientWidth;
    const piece = this.pieces.at(thread, found.time);
    const lines = [this.tipTitle(thread)];
    const narrow = piece >= 0 && this.pieces.end[piece] - this.pieces.begin[piece] < 2 * size;
    if (narrow) {
      lines.push(...this.manyLines(thread, found.time - size, found.time + size));
    } else if (piece >= 0) {
      lines.push(...this.pieceTip(piece));
    } else {
      lines.push(element('p', {class: 'dim'}, `${timeText(found.time)}: not there, or not seen`));
    }
    showTip(event.clientX, event.clientY, ...lines.filter(Boolean));
  }

  /** Of pieces that are too narrow to be told one by one. */
  manyLines(thread, from, to) {
    const {head} = this.app;
    const did = this.pieces.didWithin(thread, [[from, to]]);
    const named = did.filter(({text}) => text).slice(0, TIP_FUNCTIONS);
    return [
      ...did.slice(0, TIP_FUNCTIONS)
          .map(({state, ns}) => element('p', {}, `${stateName(head, state)} ${timeText(ns)}`)),
      ...named.map(
          ({text}) => element('p', {class: 'code'}, pieceFunction(head, text).slice(0, 200))),
      element('p', {class: 'dim'}, `${timeText(Math.max(0, from))} to ${timeText(to)}: zoom in`),
    ];
  }

  // Drawing.

  draw() {
    const width = this.body.clientWidth - this.names.clientWidth;
    if (width <= 0) return;
    const colours = themeColours();
    const room = Math.max(ROW_PITCH, this.scroll.clientHeight - HEAD_HEIGHT);
    const height = Math.min(room, Math.max(1, this.rows.length) * ROW_PITCH);
    this.canvas.style.height = `${height}px`;
    this.drawHead(width, colours);
    this.drawRows(width, height, colours);
    this.showNames(height);
    const [from, to] = this.range;
    const zoomed = from > this.whole[0] || to < this.whole[1];
    this.rangeText.textContent = zoomed ?
        `${timeText(from)} to ${timeText(to)} of ${timeText(this.whole[1])}` :
        `all ${timeText(this.whole[1] - this.whole[0])}`;
    this.toChosen.disabled = !this.app.state.span;
  }

  drawHead(width, colours) {
    const {context} = fitCanvas(this.headCanvas, width, HEAD_HEIGHT);
    const [from, to] = this.range;
    if (this.curve) {
      drawCurve(context, this.curve, {from, to, width, top: 4, height: HEAD_CURVE}, colours);
    }
    const lineFrom = 4 + HEAD_CURVE;
    const textAt = HEAD_HEIGHT - 8;
    drawTicks(context, {from, to, width, textAt, lineFrom, lineTo: lineFrom + 6}, colours);
    this.shadeTime(context, width, 0, HEAD_CURVE + 4, colours);
  }

  drawRows(width, height, colours) {
    const canvas = fitCanvas(this.canvas, width, height);
    const {context} = canvas;
    const [from, to] = this.range;
    const top = this.scroll.scrollTop;
    const first = Math.floor(top / ROW_PITCH);
    const last = Math.min(this.rows.length, Math.ceil((top + height) / ROW_PITCH));
    const rows = this.rows.slice(first, last)
                     .map(({thread}, i) => ({thread, y: (first + i) * ROW_PITCH - top + 1}));
    this.painter.paint(canvas, rows, {from, to, pitch: ROW_PITCH, colours, marks: this.marks()});
    context.globalCompositeOperation = 'destination-over';
    drawTicks(context, {from, to, width, lineFrom: 0, lineTo: height}, colours);
    context.globalCompositeOperation = 'source-over';
    this.dimRows(context, rows, width, colours);
    this.shadeTime(context, width, 0, height, colours);
    this.frameFocus(context, top, width, colours);
  }

  /** By text: 1 of the function that is selected, 2 that the search matches. */
  marks() {
    const {app} = this;
    const matches = app.matches();
    const {func} = app.state;
    if (func === null && !matches) return null;
    const marks = new Uint8Array((app.head.texts?.length ?? 0) + 1);
    textFunctions(app).forEach((of, text) => {
      if (of < 0) return;
      if (matches?.[of]) marks[text] = 2;
      if (of === func) marks[text] = 1;
    });
    return marks;
  }

  dimRows(context, rows, width, colours) {
    const {threads} = this.app.selection();
    if (!threads) return;
    context.globalAlpha = 0.7;
    context.fillStyle = colours.ground;
    for (const {thread, y} of rows)
      if (!threads[thread]) context.fillRect(0, y - 1, width, ROW_PITCH);
    context.globalAlpha = 1;
  }

  /** Greys what is outside of the chosen time, or of the one that is being dragged. */
  shadeTime(context, width, top, height, colours) {
    const span = this.drag ?? this.app.state.span;
    if (!span) return;
    const [from, to] = this.range;
    const {head} = this.app;
    const [a, b] = span.map((bucket) => ((shownTime(head, bucket) - from) / (to - from)) * width);
    context.globalAlpha = 0.62;
    context.fillStyle = colours.ground;
    if (a > 0) context.fillRect(0, top, Math.min(a, width), height);
    if (b < width) context.fillRect(Math.max(0, b), top, width - Math.max(0, b), height);
    context.globalAlpha = 1;
    context.fillStyle = colours.accent;
    for (const x of [a, b])
      if (x >= 0 && x <= width) context.fillRect(Math.min(x, width - 1), top, 1, height);
  }

  frameFocus(context, top, width, colours) {
    if (!this.focus || this.focus.piece < 0 || this.focus.row >= this.rows.length) return;
    const [from, to] = this.range;
    const {begin, end} = this.pieces;
    const at = (time) => Math.min(Math.max(((time - from) / (to - from)) * width, 1), width - 1);
    const [a, b] = [at(begin[this.focus.piece]), at(end[this.focus.piece])];
    context.strokeStyle = colours.text;
    context.lineWidth = document.activeElement === this.canvas ? 2 : 1;
    context.strokeRect(a, this.focus.row * ROW_PITCH - top + 1, Math.max(2, b - a), ROW_PITCH - 3);
  }

  /**
   * Names of the rows that are seen. Those that stay are the same nodes: a click may be on them.
   */
  showNames(height) {
    const chosen = this.app.selection().threads;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW_PITCH));
    const last = Math.min(this.rows.length, first + Math.ceil(height / ROW_PITCH) + 1);
    for (const [row, node] of this.nameNodes)
      if (row < first || row >= last) {
        node.remove();
        this.nameNodes.delete(row);
      }
    for (let row = first; row < last; row++) {
      if (!this.nameNodes.has(row)) {
        this.nameNodes.set(row, this.makeName(row));
        this.names.append(this.nameNodes.get(row));
      }
      const node = this.nameNodes.get(row);
      const isChosen = chosen?.[this.rows[row].thread];
      node.setAttribute('aria-pressed', String(!!isChosen));
      node.classList.toggle('tl-dim', !!chosen && !isChosen);
    }
  }

  makeName(row) {
    const {thread, depth} = this.rows[row];
    const text = threadName(this.app.head, thread);
    const name = element(
        'button', {
          type: 'button',
          tabindex: '-1',
          class: 'tl-name',
          title: `${text}\nClick: this thread alone. Ctrl: one more. Shift: all up to it.`,
          onclick: (event) => this.chooseRow(row, event),
        },
        text);
    name.style.top = `${row * ROW_PITCH}px`;
    name.style.paddingLeft = `${4 + 8 * Math.min(depth, 6)}px`;
    return name;
  }

  showLegend() {
    const sums = this.pieces.sumStates(pieceSelection(this.app));
    replace(this.legend, ...stateShares(this.app.head, sums));
    const words = this.legend.textContent;
    this.canvas.setAttribute(
        'aria-label',
        `Timeline of ${countText(this.rows.length, 'thread')}: ${visible(words) || 'nothing'}`);
  }

  update(changed) {
    const all = !changed;
    if (all || changed.has('threads')) {
      if (all || this.onlyChosen) this.listRows();
      this.only.hidden = !this.app.state.threads;
      const {threads} = this.app.state;
      const row = threads ? this.rows.findIndex(({thread}) => thread === threads[0]) : -1;
      if (row >= 0 && this.lastPicked < 0) this.showRow(row);
      this.lastPicked = row < 0 ? -1 : this.lastPicked;
    }
    if (changed?.has('divided'))
      this.variables.tellAgain();
    else if (all || changed.has('threads') || changed.has('span'))
      this.variables.tellChosen();
    if (all || (changed.has('span') && changed.has('view'))) this.showChosen();
    if (all || ['threads', 'span', 'states'].some((key) => changed.has(key))) this.showLegend();
    this.draw();
  }
}

/** @param {import('./app.js').App} app */
export function createTimelineView(app, root) {
  const view = new TimelineView(app, root);
  view.update(null);
  return {update: (changed) => view.update(changed)};
}
