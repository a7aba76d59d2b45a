import { randomBytes } from 'node:crypto';
import { createCursors } from './cursors.ts';

const cursors = createCursors(randomBytes(32));
const CONTEXT = JSON.stringify(['list', 'appointments', 7, '-starts_at', null, []]);

it.each([
  [0, 1],
  [1_900_000_000.123_457, 7],
  [-62_135_596_800, Number.MAX_SAFE_INTEGER],
  [253_402_300_799.5, 1],
])('holds %d and %d exactly', (first, second) => {
  expect(cursors.open(CONTEXT, cursors.seal(CONTEXT, [first, second]))).toEqual([first, second]);
});

it('is the same for the same place, and says nothing of how far apart two places are', () => {
  const texts = [1, 2, 3, 1_000_000].map((id) => cursors.seal(CONTEXT, [0, id]));
  expect(cursors.seal(CONTEXT, [0, 1])).toBe(texts[0]);
  for (const [index, text] of texts.entries()) {
    expect(text).toMatch(/^[\w-]{44}$/);
    const bytes = Buffer.from(text, 'base64url');
    for (const other of texts.slice(index + 1)) {
      const same = [...Buffer.from(other, 'base64url')].filter((byte, at) => byte === bytes[at]);
      // Beside the form, a byte here and there by chance.
      expect(same.length).toBeLessThan(10);
    }
  }
});

it('opens in its own context alone, and by its own key alone', () => {
  const text = cursors.seal(CONTEXT, [1, 2]);
  for (const context of ['', `${CONTEXT} `, CONTEXT.replace('7', '8'), CONTEXT.replace('-', '')])
    expect(cursors.open(context, text)).toBeNull();
  expect(createCursors(randomBytes(32)).open(CONTEXT, text)).toBeNull();
});

it('does not open with any bit turned, any character replaced, cut or added', () => {
  const text = cursors.seal(CONTEXT, [1_900_000_000.5, 7]);
  const bytes = Buffer.from(text, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const turned = Buffer.from(bytes);
    turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(cursors.open(CONTEXT, turned.toString('base64url'))).toBeNull();
  }
  for (let at = 0; at < text.length; at += 1)
    for (const character of ['!', '=', '+', '/', ' ', '\0', 'ä', '\n', ''])
      expect(cursors.open(CONTEXT, text.slice(0, at) + character + text.slice(at + 1))).toBeNull();
  for (const other of [
    '',
    text.slice(1),
    `${text}A`,
    `${text}\n`,
    ` ${text}`,
    text + text,
    'A'.repeat(10_000),
  ])
    expect(cursors.open(CONTEXT, other)).toBeNull();
});

describe('in an order of texts', () => {
  const LONGEST = '\u0915\u093c'.repeat(200);

  it.each(['', 'anna', '王小明', '🌸', "o'neill %_\\", LONGEST])('holds %j', (text) => {
    expect(cursors.openText(CONTEXT, cursors.seal(CONTEXT, [text, Number.MAX_SAFE_INTEGER]))).toEqual([
      text,
      Number.MAX_SAFE_INTEGER,
    ]);
  });

  it('opens as nothing else, in no other context, and in one way of writing', () => {
    const text = cursors.seal(CONTEXT, ['eight by', 7]);
    expect(cursors.seal(CONTEXT, ['eight by', 7])).toBe(text);
    expect(cursors.open(CONTEXT, text)).toBeNull();
    expect(cursors.openText(CONTEXT, cursors.seal(CONTEXT, [1, 2]))).toBeNull();
    for (const context of ['', `${CONTEXT} `, `y${CONTEXT}`])
      expect(cursors.openText(context, text)).toBeNull();
    // A place that is cut goes on in no context.
    const shorter = cursors.seal(`y${CONTEXT}`, ['eight b', 7]);
    expect(shorter).not.toBe(text);
    for (const id of [6, 8, 9, 10]) {
      const any = cursors.seal(CONTEXT, ['x'.repeat(id), id]);
      for (const end of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
        const other = any.slice(0, -1) + end;
        if (other !== any) expect(cursors.openText(CONTEXT, other)).toBeNull();
      }
      for (const bad of [any.slice(1), any.slice(0, -1), `${any}A`, `${any}=`, `${any}\n`])
        expect(cursors.openText(CONTEXT, bad)).toBeNull();
    }
  });
});
