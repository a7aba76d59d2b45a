import { visibleText } from './visible-text.ts';

it('spells out what would hide in the text or turn it around, and leaves the rest', () => {
  expect(visibleText('a\0b\u202Ec\u001B[31m\uFEFF')).toBe('a\\u{0}b\\u{202e}c\\u{1b}[31m\\u{feff}');
  expect(visibleText('Zoë ✂\n\t"½" 👩‍🔧 日本')).toBe('Zoë ✂\n\t"½" 👩‍🔧 日本');
});
