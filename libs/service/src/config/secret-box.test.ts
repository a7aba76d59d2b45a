import { randomBytes } from 'node:crypto';
import { createSecretBox, SecretBoxError } from './secret-box.ts';

const [first, second] = ['2026a', '2026b'].map((id) => ({ id, key: randomBytes(32) }));
if (!first || !second) throw new Error('Two keys are needed.');

const box = createSecretBox([first]);

describe('a secret box', () => {
  it.each(['whsec_c2VjcmV0', '', 'Zoë ✂ \0', 'x'.repeat(5_000)])('opens what it sealed: %j', (text) => {
    expect(box.open(box.seal(text, '7:12'), '7:12')).toBe(text);
  });

  it('seals the same text differently each time, and names the key', () => {
    const sealed = box.seal('secret', '7:12');
    expect(sealed).toMatch(/^v1\.2026a\.[\w-]{16}\.[\w-]+$/);
    expect(sealed).not.toBe(box.seal('secret', '7:12'));
  });

  it('doesn’t open in another context', () => {
    expect(() => box.open(box.seal('secret', '7:12'), '7:13')).toThrow(SecretBoxError);
  });

  it('doesn’t open what was changed in any one character', () => {
    const sealed = box.seal('secret', '7:12');
    // The last character holds bits that are no part of a byte: another one there may say the same.
    for (let index = 0; index < sealed.length - 1; index++) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
      expect(() => box.open(changed, '7:12')).toThrow(SecretBoxError);
    }
  });

  it.each([
    '',
    'v1',
    'v1.2026a',
    'v1.2026a..',
    'v2.2026a.AAAA.AAAA',
    'v1.2026a.AAAAAAAAAAAAAAAA.AAAA',
    'a.b.c.d.e',
  ])('doesn’t open %j', (sealed) => {
    expect(() => box.open(sealed, '7:12')).toThrow(SecretBoxError);
  });

  it('opens what an older key sealed as long as that is there, and seals by the first', () => {
    const sealed = box.seal('secret', '7:12');
    const rotated = createSecretBox([second, first]);
    expect(rotated.open(sealed, '7:12')).toBe('secret');
    expect(rotated.seal('secret', '7:12')).toMatch(/^v1\.2026b\./);
    expect(() => createSecretBox([second]).open(sealed, '7:12')).toThrow('No key with the id 2026a');
  });

  it('never reveals the text that it couldn’t open', () => {
    const act = () => createSecretBox([{ ...first, key: second.key }]).open(box.seal('topsecret', '1'), '1');
    expect(act).toThrow('The secret was sealed by another key, in another context, or was changed.');
  });

  it.each([
    ['no key', [], 'A secret box needs a key.'],
    [
      'a short key',
      [{ id: 'short', key: Buffer.alloc(31, 'k') }],
      'The key short must be 32 bytes long, not 31.',
    ],
    ['two keys of one id', [first, { ...second, id: first.id }], 'Two keys have the same id.'],
    ['an id with a dot', [{ ...first, id: 'a.b' }], 'The id of a key must be a word.'],
  ])('refuses %s, naming the fault and not the key', (_what, keys, message) => {
    expect(() => createSecretBox(keys)).toThrow(message);
  });
});
