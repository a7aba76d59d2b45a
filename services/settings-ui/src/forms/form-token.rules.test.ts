import { drawnAtMs, newFormToken } from './form-token.rules.ts';

const SECRET = 'secret of a session';
const DRAWN_MS = 1_790_000_000_000;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('the token of a form', () => {
  const token = newFormToken(SECRET, DRAWN_MS);

  it('tells when its page was drawn, to the session that it is of', () => {
    expect(drawnAtMs(SECRET, token)).toBe(DRAWN_MS);
    expect(drawnAtMs('another', token)).toBe(0);
    expect(drawnAtMs(SECRET, 'a word of a program')).toBeNull();
  });

  it('is none with any other character in the end, nor with more or fewer', () => {
    const others = DIGITS.split('')
      .map((digit) => token.slice(0, -1) + digit)
      .filter((other) => other !== token);
    expect(others).toHaveLength(63);
    for (const other of [...others, `${token}A`, `${token}=`, token.slice(0, -1), 'f1.'])
      expect(drawnAtMs(SECRET, other)).toBe(0);
  });
});
