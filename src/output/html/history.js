// SPDX-License-Identifier: MIT
/**
 * The state in the page's address: a link shows what its sender saw, and the browser's Back goes to
 * what was looked at before. A choice is a step of that way; a drag of many changes is one, typing
 * is none.
 */

/** What a reader chooses and may want to go back from; the rest is written without a step. */
const STEPS = new Set([
  'view', 'weight', 'threads', 'span', 'states', 'func', 'zoom', 'invert', 'rows', 'side', 'object',
  'divided'
]);

/** Changes of the time are one step if no more ms are between them. */
const SAME_STEP_MS = 1000;

/** What is not a step is written when so many ms brought no more of it: browsers limit writing. */
const QUIET_MS = 150;

/**
 * Is a change of the state a step of its own? Knows no DOM.
 * @param {Set<string>} changed
 * @param {Set<string>} before  what the change before this one changed
 * @param {boolean} goesOn      it came soon, or with the same press of the pointer
 */
export function isStep(changed, before, goesOn) {
  const steps = [...changed].filter((key) => STEPS.has(key));
  if (!steps.length) return false;
  return !(goesOn && before.has('span') && changed.has('span'));
}

export class StepHistory {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.written = location.hash;
    this.restoring = false;
    this.before = new Set();
    this.changedAt = 0;
    this.pressed = false;  // the pointer, and it was at the last change
    this.inPress = false;
    this.timer = 0;
    app.onChange((changed) => this.change(changed));
    for (const event of ['hashchange', 'popstate'])
      window.addEventListener(event, () => this.read());
    const press = (pressed) => {
      this.pressed = pressed;
      this.inPress = false;
    };
    document.addEventListener('pointerdown', () => press(true), {capture: true});
    for (const event of ['pointerup', 'pointercancel'])
      document.addEventListener(event, () => press(false), {capture: true});
  }

  /** After Back, Forward, or another link to the page. */
  read() {
    if (location.hash === this.written) return;
    clearTimeout(this.timer);
    this.written = location.hash;
    this.before = new Set();
    this.restoring = true;
    try {
      this.app.setHash(location.hash);
    } finally {
      this.restoring = false;
    }
  }

  change(changed) {
    if (this.restoring) return;
    const now = performance.now();
    const goesOn = now - this.changedAt < SAME_STEP_MS || this.inPress;
    const step = isStep(changed, this.before, goesOn);
    this.before = changed;
    this.changedAt = now;
    this.inPress = this.pressed;
    clearTimeout(this.timer);
    if (step)
      this.write('pushState');
    else
      this.timer = setTimeout(() => this.write('replaceState'), QUIET_MS);
  }

  write(how) {
    const hash = this.app.hash();
    if (hash === location.hash || location.hash !== this.written) return;  // or about to be read
    try {
      history[how](null, '', hash || location.pathname + location.search);
    } catch {
      return;  // too many in a short time: the next one writes all
    }
    this.written = location.hash;
  }
}
