import { generateApiKey, isWellFormedApiKey } from './api-keys.ts';

describe('API keys', () => {
  it('are recognisable, 46 characters long and different each time', () => {
    const keys = Array.from({ length: 200 }, generateApiKey);
    for (const key of keys) {
      expect(key).toMatch(/^fd_live_[0-9A-Za-z]{38}$/);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are refused without a look-up when one character is mistyped', () => {
    const key = generateApiKey();
    for (let at = 0; at < key.length; at += 1) {
      const mistyped = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect(isWellFormedApiKey(mistyped)).toBe(false);
    }
  });

  it.each(['', 'fd_live_', 'fd_test_'.padEnd(46, 'a'), `${generateApiKey()}x`, ` ${generateApiKey()}`])(
    'refuse %j',
    (text) => expect(isWellFormedApiKey(text)).toBe(false),
  );
});
