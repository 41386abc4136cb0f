// SPDX-License-Identifier: MIT
/** What the views of time, threads and waits share: made when the first of them asks. */
import {Pieces, pieceStates, rowsOf} from './pieces.js';
import {curveOf, shownTime, timeOf} from './time_axis.js';
import {WaitsModel} from './waits_model.js';

const shared = new WeakMap();  // app -> {name: value}

/** What an app has once, made when it is asked for. */
export function once(app, name, make) {
  if (!shared.has(app)) shared.set(app, {});
  const known = shared.get(app);
  known[name] ??= make();
  return known[name];
}

/** @returns {Pieces} */
export function appPieces(app) {
  return once(app, 'pieces', () => {
    const pieces = new Pieces(app.model.payload);
    const own = pieces.text;
    app.model.division.followTexts((places) => {
      pieces.text = places ? own.map((text) => places[text]) : own;
    });
    return pieces;
  });
}

/** @returns {WaitsModel} */
export function appWaits(app) {
  return once(app, 'waits', () => new WaitsModel(app.model.payload, appPieces(app)));
}

/** @returns {import('./time_axis.js').Curve|null} */
export function appCurve(app) {
  return once(app, 'curve', () => ({made: curveOf(app.model.payload)})).made;
}

export function appRows(app) {
  return once(app, 'rows', () => rowsOf(app.head));
}

/** By what pieces name (from 1): the function of that name, or -1. */
export function textFunctions(app) {
  return once(app, app.state.divided ? 'texts' : 'joinedTexts', () => {
    const byName = new Map();
    app.head.functions.name.forEach((name, func) => {
      if (!byName.has(name)) byName.set(name, func);
    });
    return Int32Array.from(
        ['', ...(app.head.texts ?? [])], (text, i) => (i ? byName.get(text) ?? -1 : -1));
  });
}

/**
 * When the chosen time begins and ends; all of it where none is chosen.
 * @returns {[number, number]}
 */
export function chosenTime(app) {
  const {time} = app.head;
  const [first, end] = app.state.span ?? [0, time.buckets];
  return [timeOf(time, first), shownTime(app.head, end)];
}

/** @returns {import('./pieces.js').PieceSelection} what is chosen, of pieces */
export function pieceSelection(app) {
  const [from, to] = chosenTime(app);
  return {
    threads: app.selection().threads,
    from,
    to,
    states: pieceStates(app.state.states),
    allTime: !app.state.span
  };
}

/** What was waited for in what is chosen: that of all states, as who waits does not run. */
export function appWaited(app) {
  return app.cached('waited', () => appWaits(app).waited(waitSelection(app)));
}

/** @returns {import('./pieces.js').PieceSelection} */
export function waitSelection(app) {
  return {...pieceSelection(app), states: pieceStates('all')};
}
