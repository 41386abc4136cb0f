// SPDX-License-Identifier: MIT
/** The box beside the pointer that says what is under it. */
import {replace} from './dom.js';

const DISTANCE = 14;

/** Shows nodes at a place of the window, inside of it. */
export function showTip(x, y, ...nodes) {
  const tip = document.getElementById('tip');
  replace(tip, ...nodes);
  tip.hidden = false;
  const {offsetWidth: width, offsetHeight: height} = tip;
  const left = x + DISTANCE + width > window.innerWidth ? x - DISTANCE - width : x + DISTANCE;
  const top = y + DISTANCE + height > window.innerHeight ? y - DISTANCE - height : y + DISTANCE;
  tip.style.left = `${Math.max(4, Math.min(left, window.innerWidth - width - 4))}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}

export function hideTip() {
  document.getElementById('tip').hidden = true;
}

/** For those who do not see: says what was chosen. */
export function say(text) {
  document.getElementById('live').textContent = text;
}
