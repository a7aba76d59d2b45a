import { oneLine, shortLine, wrapped } from './plain-text.rules.ts';

describe('a name in one line', () => {
  it.each([
    ['Salon\r\nBcc: victim@example.com', 'Salon Bcc: victim@example.com'],
    ['Salon\nX: y', 'Salon X: y'],
    ['a\u0000b\u0007c\u0085d\u2028e\u2029f', 'a b c d e f'],
    ['\u202EevilA\u202C \u2066x\u2069\u200E', 'evilA x'],
    ['zero\u200Bwidth\uFEFF', 'zerowidth'],
    ['  \t Salon  \t Mitte ', 'Salon Mitte'],
    ['\uD800lone', '\uFFFDlone'],
    ['👩‍👩‍👧 Größe 日本 שלום', '👩‍👩‍👧 Größe 日本 שלום'],
    ['', ''],
  ])('%j is %j', (text, line) => expect(oneLine(text)).toBe(line));

  it('is cut between characters, as people see them', () => {
    expect(shortLine('x'.repeat(200), 60)).toBe(`${'x'.repeat(59)}…`);
    expect(shortLine('x'.repeat(60), 60)).toBe('x'.repeat(60));
    const family = '👩‍👩‍👧';
    expect(shortLine(family.repeat(3), 4)).toBe(`${family}${family}…`);
    expect(shortLine('日本'.repeat(100), 10)).toBe('日本日本日本日本日…');
    // Nothing is cut of what is short, though each is many code units.
    expect(shortLine(`Salon ${family}`, 60)).toBe(`Salon ${family}`);
  });

  it('of endless marks on one letter stays short', () => {
    expect(shortLine(`a${'\u0301'.repeat(5_000)}`, 60).length).toBeLessThan(250);
  });
});

it('a paragraph has lines of 76 characters, and an address stays whole', () => {
  const address = `https://settings.example.com/${'x'.repeat(100)}`;
  const lines = wrapped(`${'word '.repeat(40)}${address} and more`).split('\n');
  expect(lines).toContain(address);
  expect(lines.filter((line) => line.length > 76)).toEqual([address]);
  expect(lines.join(' ')).toBe(`${'word '.repeat(40)}${address} and more`);
});
