// SPDX-License-Identifier: MIT
/**
 * Draws rows of the timeline on a canvas. Where a pixel has several pieces it is divided among
 * their states by how long each lasted; pieces with room for it are named.
 */
import {ownerWords, pieceFunction, stateName, waitText} from './piece_words.js';
import {PIECE_STATES, UNKNOWN_STATE} from './pieces.js';

const ROW_STATES = PIECE_STATES.length;
const ROW_GAP = 3;     // px between rows
const ROW_NAMED = 6;   // letters, besides "…", that a piece has room for if not for all
const ROW_ROOM = 20;   // px that one with a text has at least
const ROW_PARTED = 5;  // px of one whose end is marked
const ROW_HATCH = 4;   // px: what was not sampled is hatched

/** A colour "#rrggbb" as a pixel of an ImageData of 32-bit numbers. */
function pixelOf(colour) {
  const value = parseInt(colour.slice(1), 16);
  return (0xff000000 | ((value & 255) << 16) | (value & 0xff00) | (value >>> 16)) >>> 0;
}

export class RowPainter {
  constructor(head, pieces, waits) {
    this.head = head;
    this.pieces = pieces;
    this.waits = waits;
    this.words = new Map();  // wait, text and state -> what is written on pieces
    this.image = null;
    this.cell = 0;  // width of a letter
  }

  room(width, height, context) {
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.byState = new Float64Array(width * ROW_STATES);
      this.longest = new Int32Array(width);
    }
    this.pixels.fill(0);
  }

  /**
   * @param {{context: CanvasRenderingContext2D, width: number, height: number, scale: number}}
   * canvas
   * @param {{thread: number, y: number}[]} rows  those that are seen, in px of the canvas
   * @param {{from: number, to: number, pitch: number, colours: any,
   *   marks: Uint8Array|null}} look  `marks` by text: 1 selected, 2 matched
   */
  paint(canvas, rows, look) {
    const {context, width, height, scale} = canvas;
    const [across, down] = [Math.max(1, Math.round(width * scale)), Math.round(height * scale)];
    this.room(across, down, context);
    this.colours = look.colours.states.map(pixelOf);
    const high = Math.round((look.pitch - ROW_GAP) * scale);
    for (const {thread, y} of rows) {
      this.pieces.columns(thread, look.from, look.to, across, this.byState, this.longest);
      this.paintColumns(across, down, Math.round(y * scale), high);
    }
    context.putImageData(this.image, 0, 0);
    for (const row of rows) this.paintTexts(context, row, width, look);
  }

  /** Stacks of states, column by column. */
  paintColumns(across, down, top, high) {
    const {pixels, byState, colours} = this;
    for (let column = 0; column < across; column++) {
      const at = column * ROW_STATES;
      let sum = 0;
      for (let state = 0; state < ROW_STATES; state++) sum += byState[at + state];
      if (sum <= 0) continue;
      let y = 0;
      let reached = 0;
      for (let state = 0; state < ROW_STATES; state++) {
        reached += byState[at + state];
        const end = Math.round((reached / sum) * high);
        for (; y < end; y++) {
          const row = top + y;
          if (row < 0 || row >= down) continue;
          if (state === UNKNOWN_STATE && (column + row) % ROW_HATCH) continue;
          pixels[row * across + column] = colours[state];
        }
      }
    }
  }

  /** Ends, names and marks of pieces with room for them. */
  paintTexts(context, {thread, y}, width, {from, to, pitch, colours, marks}) {
    const {pieces} = this;
    const size = (to - from) / width;
    const high = pitch - ROW_GAP;
    const last = pieces.start[thread + 1];
    context.font = `11px ${colours.mono}`;
    context.textBaseline = 'middle';
    this.cell ||= context.measureText('M').width;
    for (let piece = pieces.after(thread, from); piece < last; piece++) {
      if (pieces.begin[piece] >= to) break;
      const x = Math.max(0, (pieces.begin[piece] - from) / size);
      const end = Math.min(width, (pieces.end[piece] - from) / size);
      const state = pieces.state[piece];
      if (end - x >= ROW_PARTED && end < width) {
        context.fillStyle = colours.ground;
        context.fillRect(end - 0.75, y, 0.75, high);
      }
      if (end - x >= ROW_ROOM && high >= 12 && state !== UNKNOWN_STATE)
        this.paintText(context, piece, x, y + high / 2 + 0.5, end - x, colours.texts[state]);
      const mark = marks?.[pieces.text[piece]];
      if (mark) {
        context.fillStyle = mark === 1 ? colours.accent : colours.match;
        context.fillRect(x, y + high - 1, Math.max(1, end - x - 1), 3);
      }
    }
  }

  paintText(context, piece, x, y, room, colour) {
    const cells = Math.floor((room - 6) / this.cell);
    const words = this.wordsOf(piece);
    if (cells < Math.min(words.length, ROW_NAMED + 1)) return;
    context.fillStyle = colour;
    context.fillText(
        words.length > cells ? `${words.slice(0, Math.max(1, cells - 1))}…` : words, x + 3, y,
        room - 6);
  }

  /** What is written on a piece: where it runs, or what it waits for, and where. */
  wordsOf(piece) {
    const {pieces, head} = this;
    const state = pieces.state[piece];
    const key = (pieces.wait[piece] * 131072 + pieces.text[piece]) * ROW_STATES + state;
    let words = this.words.get(key);
    if (words !== undefined) return words;
    const func = pieceFunction(head, pieces.text[piece]).replace(/\s+/g, ' ');
    const wait = this.waits.waitOf(piece);
    if (state < 2) {
      words = func || stateName(head, state);
    } else {
      words = wait ? waitText(head, wait) : '';
      words = [words, func].filter(Boolean).join(': ') || stateName(head, state);
    }
    this.words.set(key, words);
    return words;
  }
}

/** What a tip says of a piece: lines of text. */
export function pieceLines(head, pieces, waits, piece) {
  const wait = waits.waitOf(piece);
  const func = pieceFunction(head, pieces.text[piece]);
  const state = stateName(head, pieces.state[piece]);
  return {
    state: wait ? `${state}: ${waitText(head, wait)}` : state,
    func,
    owner: wait ? ownerWords(head, wait) : '',
  };
}
