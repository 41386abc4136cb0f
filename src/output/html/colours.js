// SPDX-License-Identifier: MIT
/**
 * Colours of a flame graph's frames, for light and dark grounds, each with a colour for the text on
 * it that has a contrast of at least 4.5 (WCAG AA). Hues are of OKLCH, where equal lightness looks
 * equally light. The hue of magenta is left to matches of the search.
 */

/** @typedef {[number, number, number]} Rgb each 0 to 255 */

/** @returns {Rgb} the nearest that a screen shows */
function rgbOfOklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  ];
  const encode = (x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);
  return /** @type {Rgb} */ (
      linear.map((x) => Math.round(255 * encode(Math.min(1, Math.max(0, x))))));
}

/** @param {Rgb} rgb */
function luminanceOf(rgb) {
  const [r, g, b] = rgb.map((byte) => {
    const x = byte / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** 1 to 21. @param {Rgb} one @param {Rgb} other */
export function contrastOf(one, other) {
  const [low, high] = [luminanceOf(one), luminanceOf(other)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** @param {Rgb} one @param {Rgb} other @returns {Rgb} `part` of the other in it */
function mixedColour(one, other, part) {
  return /** @type {Rgb} */ (one.map((x, i) => Math.round(x + (other[i] - x) * part)));
}

function cssOf(rgb) {
  return `rgb(${rgb.join(', ')})`;
}

/** @type {Rgb} */
const DARK_TEXT = [27, 31, 36];
/** @type {Rgb} */
const LIGHT_TEXT = [240, 243, 247];

/**
 * The page's ground, as page.css has it.
 * @returns {Rgb}
 */
function groundColour(isDark) {
  return isDark ? [20, 23, 27] : [255, 255, 255];
}

/** Of two texts the one that is read better on a colour. */
function textOn(rgb) {
  return contrastOf(rgb, DARK_TEXT) >= contrastOf(rgb, LIGHT_TEXT) ? DARK_TEXT : LIGHT_TEXT;
}

/**
 * Frames of which nothing is known that the colour could tell; and those too narrow to be shown.
 */
function greyColour(isDark) {
  return isDark ? rgbOfOklch(0.36, 0.008, 260) : rgbOfOklch(0.9, 0.006, 260);
}

/** What the search matches. */
function matchColour(isDark) {
  return isDark ? rgbOfOklch(0.72, 0.22, 328) : rgbOfOklch(0.56, 0.25, 328);
}

// Far apart in the order in which they follow each other, none near 328.
const MODULE_HUES = [55, 235, 145, 290, 95, 195, 20, 265, 120, 215, 75, 170];

/** Each hue lighter and darker. */
const MODULE_SLOTS = MODULE_HUES.length * 2;

function moduleSlotColour(slot, isDark) {
  const hue = MODULE_HUES[slot % MODULE_HUES.length];
  const isSecond = slot >= MODULE_HUES.length;
  if (isDark) return isSecond ? rgbOfOklch(0.36, 0.07, hue) : rgbOfOklch(0.47, 0.095, hue);
  return isSecond ? rgbOfOklch(0.73, 0.1, hue) : rgbOfOklch(0.85, 0.085, hue);
}

function hashOfName(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function hueDistance(one, other) {
  const distance = Math.abs(one - other);
  return Math.min(distance, 360 - distance);
}

/**
 * Gives modules their colours: each that its name leads to, unless a heavier one has it or one near
 * it. So a module keeps its colour whatever is selected, and mostly in other captures, too.
 * @param {string[]} names   by module; '' and what is not known: no colour, -1
 * @param {ArrayLike<number>} weights   by module, of all that was captured
 * @returns {Int32Array} slots of the palette
 */
export function assignModules(names, weights) {
  const slots = new Int32Array(names.length).fill(-1);
  const taken = new Set();
  const order = names.map((_, i) => i).filter((i) => names[i]);
  order.sort((a, b) => weights[b] - weights[a] || a - b);
  const isFar = (slot) => [...taken].every(
      (other) => hueDistance(
                     MODULE_HUES[slot % MODULE_HUES.length],
                     MODULE_HUES[other % MODULE_HUES.length]) >= 45);
  for (const module of order) {
    const wanted = hashOfName(names[module]) % MODULE_HUES.length;
    const tries =
        Array.from({length: MODULE_HUES.length}, (_, i) => (wanted + i) % MODULE_HUES.length);
    let slot = tries.find((i) => !taken.has(i) && isFar(i)) ?? tries.find((i) => !taken.has(i)) ??
        tries.map((i) => i + MODULE_HUES.length).find((i) => !taken.has(i));
    slot ??= hashOfName(names[module]) % MODULE_SLOTS;
    slots[module] = slot;
    taken.add(slot);
  }
  return slots;
}

/** @returns {Rgb[]} by slot, the last: of modules that are not known */
function modulePalette(isDark) {
  const colours = Array.from({length: MODULE_SLOTS}, (_, slot) => moduleSlotColour(slot, isDark));
  return [...colours, greyColour(isDark)];
}

/**
 * Hue and how strong, by how a frame was found: what compilers and runtimes tell of their code is
 * green to blue; what was concluded from code, or guessed, is the warmer the less sure it is.
 */
const TRUST_HUES = {
  context: [150, 0.6],
  kernel: [285, 0.7],
  debug_frame: [165, 1],
  eh_frame: [195, 1],
  exidx: [225, 1],
  gopclntab: [255, 1],
  prologue: [110, 1.2],
  fp: [85, 1.4],
  lr: [55, 1.6],
  scan: [27, 1.9],
};

/** @param {string[]} trusts names @returns {Rgb[]} by trust */
function trustPalette(trusts, isDark) {
  return trusts.map((name) => {
    const known = TRUST_HUES[name];
    if (!known) return greyColour(isDark);
    const [hue, strength] = known;
    return isDark ? rgbOfOklch(0.38 + 0.05 * strength, 0.075 * strength, hue) :
                    rgbOfOklch(0.93 - 0.1 * strength, 0.08 * strength, hue);
  });
}

const CHANGE_STEPS = 12;

/** Points from which on a colour is the strongest. */
export const STRONGEST_CHANGE = 2500;

/**
 * The colour of a change: less in the first half of the palette, more in the second, none and noise
 * in its middle. By the root, as the call graph has it: small changes have to be seen, too.
 */
export function changeSlot({points, noise}) {
  if (noise || points === 0) return CHANGE_STEPS;
  const part = Math.min(1, Math.sqrt(Math.abs(points) / STRONGEST_CHANGE));
  return CHANGE_STEPS + Math.sign(points) * Math.max(1, Math.round(part * CHANGE_STEPS));
}

/** @returns {Rgb[]} by changeSlot() */
function changePalette(isDark) {
  const colours = [];
  for (let step = -CHANGE_STEPS; step <= CHANGE_STEPS; step++) {
    const part = Math.abs(step) / CHANGE_STEPS;
    const hue = step < 0 ? 255 : 27;
    colours.push(
        step === 0 ? greyColour(isDark) :
            isDark ? rgbOfOklch(0.34 + 0.16 * part, 0.05 + 0.12 * part, hue) :
                     rgbOfOklch(0.92 - 0.22 * part, 0.03 + 0.13 * part, hue));
  }
  return colours;
}

/** How much of the ground is in the colour of what is not looked at. */
const FADED_PART = 0.62;

/** @typedef {{fill: string, text: string}} Ink a colour of CSS, and that of the text on it */

/** @param {Rgb} rgb @param {Rgb} ground @returns {[Ink, Ink]} as it is, and faded */
function inksOf(rgb, ground) {
  /** @param {Rgb} fill */
  const ink = (fill) => ({fill: cssOf(fill), text: cssOf(textOn(fill))});
  return [ink(rgb), ink(mixedColour(rgb, ground, FADED_PART))];
}

/** All colours of frames for a light or a dark ground. @param {string[]} trusts names */
export function inkScheme(trusts, isDark) {
  const ground = groundColour(isDark);
  const inks = (palette) => palette.map((rgb) => inksOf(rgb, ground));
  const [grey, match] = inks([greyColour(isDark), matchColour(isDark)]);
  return {
    ground: cssOf(ground),
    line: cssOf(textOn(ground)),
    grey,
    match,
    module: inks(modulePalette(isDark)),
    trust: inks(trustPalette(trusts, isDark)),
    change: inks(changePalette(isDark)),
  };
}
