import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentitySigner, createIdentityVerifier } from '@frontdesk/service';
import { ensureIdentityKeys, keyFilesIn } from './identity-keys.ts';

describe("a system's identity keys", () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'keys-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('are made once: a second start finds them and changes nothing', async () => {
    const files = keyFilesIn(directory);
    expect(await ensureIdentityKeys(files)).toContain('gateway');
    const before = await readFile(files.privateKey('gateway'), 'utf8');

    expect(await ensureIdentityKeys(files)).toEqual([]);
    expect(await readFile(files.privateKey('gateway'), 'utf8')).toBe(before);
  });

  it('are made for an issuer that a later release adds, and the others stay', async () => {
    const files = keyFilesIn(directory);
    await ensureIdentityKeys(files);
    const kept = await readFile(files.privateKey('crm'), 'utf8');
    await rm(files.privateKey('gateway'));

    expect(await ensureIdentityKeys(files)).toEqual(['gateway']);
    expect(await readFile(files.privateKey('crm'), 'utf8')).toBe(kept);
    const signer = await createIdentitySigner({
      issuer: 'gateway',
      privateKeyFile: files.privateKey('gateway'),
    });
    const verifier = await createIdentityVerifier({ audience: 'crm', publicKeysFile: files.publicKeys });
    const token = await signer.sign({ audience: 'crm', role: 'integrator', tenantId: 7 });
    expect(await verifier.verify(token)).toMatchObject({ issuer: 'gateway', tenantId: 7 });
  });

  it('that are damaged are named with the cure; the public ones are simply written again', async () => {
    const files = keyFilesIn(directory);
    await ensureIdentityKeys(files);
    const publicKeys = await readFile(files.publicKeys, 'utf8');
    await writeFile(files.publicKeys, '{"gate');
    expect(await ensureIdentityKeys(files)).toEqual([]);
    expect(await readFile(files.publicKeys, 'utf8')).toBe(publicKeys);

    await writeFile(files.privateKey('crm'), '{"kty');
    await expect(ensureIdentityKeys(files)).rejects.toThrow(
      `${files.privateKey('crm')} is damaged: put back a copy of it, or delete it`,
    );
  });

  it('can be read by their owner alone, and the public ones hold no secret', async () => {
    const files = keyFilesIn(directory);
    await ensureIdentityKeys(files);

    expect((await stat(files.privateKey('operator'))).mode & 0o777).toBe(0o600);
    for (const key of Object.values(JSON.parse(await readFile(files.publicKeys, 'utf8')) as object)) {
      expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
      expect(key).not.toHaveProperty('d');
    }
  });
});
