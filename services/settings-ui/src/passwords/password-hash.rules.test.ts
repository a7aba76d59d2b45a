import { derive, hashPassword, verifyPassword } from './password-hash.rules.ts';

describe('a password’s hash', () => {
  it('fits this password and no other, and is different each time', async () => {
    const [hash, again] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hash).not.toBe(again);
    await expect(verifyPassword('correct horse', hash)).resolves.toBe(true);
    await expect(verifyPassword('Correct horse', hash)).resolves.toBe(false);
  });

  it('is verified by the parameters that it names', async () => {
    // Made by the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    await expect(verifyPassword('password', hash)).resolves.toBe(true);
  });

  it('fits however a keyboard makes its letters, also one of what was typed as it was', async () => {
    const [composed, decomposed] = [
      'fünf stille Löwen'.normalize('NFC'),
      'fünf stille Löwen'.normalize('NFD'),
    ];
    expect(composed).not.toBe(decomposed);
    for (const set of [composed, decomposed]) {
      const hash = await hashPassword(set);
      await expect(verifyPassword(composed, hash)).resolves.toBe(true);
      await expect(verifyPassword(decomposed, hash)).resolves.toBe(true);
      await expect(verifyPassword('funf stille Lowen', hash)).resolves.toBe(false);
    }
    const nonce = Buffer.from('c29tZXNhbHQ', 'base64');
    const tag = await derive('argon2id', {
      message: decomposed,
      nonce,
      tagLength: 32,
      memory: 65_536,
      passes: 2,
      parallelism: 1,
    });
    const earlier = `$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${tag.toString('base64').replace('=', '')}`;
    await expect(verifyPassword(decomposed, earlier)).resolves.toBe(true);
  });

  it('is refused where it is none', async () => {
    await expect(verifyPassword('x', '$2b$10$abc')).rejects.toThrow('can’t be read');
  });
});
