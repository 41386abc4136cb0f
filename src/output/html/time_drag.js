// SPDX-License-Identifier: MIT
/** Dragging along time with a pointer. */

const CLICK_MOVES = 4;  // px that a click may move

/**
 * `moved(x0, x1)` while it is dragged and `done(x0, x1)` at the end, in px from the node's left
 * edge; `click(event)` where it was not moved; `ended()` in each case.
 *
 * @param {HTMLElement} node
 * @param {{moved: (from: number, to: number) => void, done: (from: number, to: number) => void,
 *   click?: (event: PointerEvent) => void, ended?: () => void}} told
 */
export function onDrag(node, {moved, done, click, ended}) {
  let start = null;
  const place = (event) => event.clientX - node.getBoundingClientRect().left;
  const finish = () => {
    start = null;
    ended?.();
  };
  node.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    start = {x: place(event), far: false};
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener('pointermove', (event) => {
    if (!start) return;
    start.far ||= Math.abs(place(event) - start.x) >= CLICK_MOVES;
    if (start.far) moved(start.x, place(event));
  });
  node.addEventListener('pointerup', (event) => {
    if (!start) return;
    const {x, far} = start;
    finish();
    if (far)
      done(x, place(event));
    else
      click?.(event);
  });
  node.addEventListener('pointercancel', finish);
}
