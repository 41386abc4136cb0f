// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import {test} from 'node:test';

import * as colours from '../../src/output/html/colours.js';
import {elided, FlameNames} from '../../src/output/html/flame_names.js';
import {changeOf} from '../../src/output/html/model.js';

const TRUSTS = [
  'context', 'kernel', 'debug_frame', 'eh_frame', 'exidx', 'gopclntab', 'prologue', 'fp', 'lr',
  'scan', 'something new'
];

/** "rgb(1, 2, 3)" */
function rgbOf(css) {
  return css.match(/\d+/g).map(Number);
}

test('text is read on every colour, faded ones too', () => {
  for (const isDark of [false, true]) {
    const {grey, match, module, trust, change} = colours.inkScheme(TRUSTS, isDark);
    const inks = [grey, match, ...module, ...trust, ...change].flat();
    assert.equal(inks.length, 2 * (2 + 25 + TRUSTS.length + 25));
    for (const {fill, text} of inks)
      assert.ok(colours.contrastOf(rgbOf(fill), rgbOf(text)) >= 4.5, `${fill}, dark: ${isDark}`);
  }
});

test('contrast is that of WCAG', () => {
  assert.equal(colours.contrastOf([0, 0, 0], [255, 255, 255]), 21);
  assert.equal(colours.contrastOf([119, 119, 119], [255, 255, 255]).toFixed(2), '4.48');
});

test('no two colours of a palette are the same', () => {
  for (const isDark of [false, true]) {
    const {module, trust, change} = colours.inkScheme(TRUSTS, isDark);
    for (const palette of [module, trust, change])
      assert.equal(new Set(palette.map(([{fill}]) => fill)).size, palette.length);
  }
});

test('a module has its colour whatever others weigh less', () => {
  const names = ['/bin/program', '/lib/libc.so.6', '/lib/libm.so.6', '', '/lib/libz.so'];
  const slots = colours.assignModules(names, [9, 5, 3, 8, 1]);
  assert.equal(slots[3], -1);
  assert.equal(new Set(slots).size, 5);
  const fewer = colours.assignModules(names.slice(0, 2), [9, 5]);
  assert.deepEqual([...fewer], [...slots.slice(0, 2)]);
  const alone = colours.assignModules(['/bin/program'], [1]);
  assert.equal(alone[0], slots[0]);
});

test('modules beyond the palette share its colours', () => {
  const names = Array.from({length: 100}, (_, i) => `/lib/lib${i}.so`);
  const slots = colours.assignModules(names, names.map((_, i) => 100 - i));
  assert.equal(new Set(slots.slice(0, 24)).size, 24);
  const known = colours.inkScheme(TRUSTS, false).module.length - 1;
  assert.ok(slots.every((slot) => slot >= 0 && slot < known));
});

test('a change is red for more, blue for less, grey for noise', () => {
  const side = (sum) => ({sum, carriers: sum});
  const slot = (now, nowSum, base, baseSum) =>
      colours.changeSlot(changeOf(now, side(nowSum), base, side(baseSum)));
  const scheme = colours.inkScheme(TRUSTS, false);
  const grey = slot(500, 1000, 500, 1000);
  assert.deepEqual(scheme.change[grey], scheme.grey);
  assert.equal(slot(52, 100, 50, 100), grey);
  const [more, less] = [slot(9000, 10000, 5000, 10000), slot(1000, 10000, 5000, 10000)].map(
      (at) => rgbOf(scheme.change[at][0].fill));
  assert.ok(more[0] > more[2] + 50);
  assert.ok(less[2] > less[0] + 50);
  assert.ok(slot(5200, 10000, 5000, 10000) > grey);
  assert.equal(slot(1, 4, 1, 2), grey);
});

test('names are shortened as in the call graph', () => {
  assert.equal(elided('a::B<int, C<d>>::f(char const*)'), 'a::B<..>::f(..)');
  assert.equal(elided('f()'), 'f()');
  assert.equal(elided('std::operator<<(x)'), 'std::operator<<(x)');
  assert.equal(elided('a->b'), 'a->b');
});

test('what a name is in is left out before what it is', () => {
  const name = 'store::Index<unsigned long>::insert(Key const&)';
  const names = new FlameNames({functionLabel: () => name});
  assert.equal(names.fitted(0, 100), name);
  assert.equal(names.fitted(0, 31), 'store::Index<..>::insert(..)');
  assert.equal(names.fitted(0, 22), 'Index<..>::insert(..)');
  assert.equal(names.fitted(0, 10), 'insert(..)');
  assert.equal(names.fitted(0, 7), 'insert');
  assert.equal(names.fitted(0, 5), 'ins…t');
  assert.equal(names.fitted(0, 2), '');
});

test('a long name and one of control characters are cut and written out', () => {
  const long = new FlameNames({functionLabel: () => 'x<'.repeat(32768)});
  assert.ok(long.fitted(0, 1e6).length <= 500);
  const odd = new FlameNames({functionLabel: () => 'a\u202eb\n'});
  assert.equal(odd.fitted(0, 100), 'a\\u202eb\\u000a');
});
