import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentitySigner, createIdentityVerifier } from '@frontdesk/service';
import { ensureIdentityKeys, keyFilesIn, nextKeyFile, previousKeyFile } from './identity-keys.ts';
import { replaceIdentityKey } from './replace-identity-key.ts';

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

  it('of what is no issuer any more are made for nobody, given to nobody and replaced for nobody', async () => {
    const files = keyFilesIn(directory);
    await ensureIdentityKeys(files);
    expect(await readdir(directory)).not.toContain('webhooks.json');
    // As an earlier release left it.
    const earlier = { kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd' };
    await writeFile(join(directory, 'webhooks.json'), JSON.stringify(earlier));
    await writeFile(files.publicKeys, JSON.stringify({ webhooks: earlier }));
    expect(await ensureIdentityKeys(files)).toEqual([]);
    const published = JSON.parse(await readFile(files.publicKeys, 'utf8')) as object;
    expect(Object.keys(published)).toContain('crm');
    expect(published).not.toHaveProperty('webhooks');
    await expect(replaceIdentityKey(files, { NEW_IDENTITY_KEY: 'webhooks' })).rejects.toThrow(
      'There is no issuer "webhooks"',
    );
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

  it('are replaced in three steps: known to everybody, then signing, then alone', async () => {
    const files = keyFilesIn(directory);
    const replace = (step: Parameters<typeof replaceIdentityKey>[1]) =>
      replaceIdentityKey(files, step, { knownAfterMs: 1 });
    await ensureIdentityKeys(files);
    const json = async (file: string) =>
      JSON.parse(await readFile(file, 'utf8')) as { x: string; d?: string };
    const published = async () => (await json(files.publicKeys)) as unknown as Record<string, unknown>;
    const earlier = await json(files.privateKey('gateway'));
    const { d: _private, ...earlierPublic } = earlier;

    await replace({ NEW_IDENTITY_KEY: 'gateway' });
    const next = await json(nextKeyFile(files.privateKey('gateway')));
    const { d: _secret, ...nextPublic } = next;
    expect(await json(files.privateKey('gateway'))).toEqual(earlier);
    expect(await published()).toMatchObject({ gateway: [earlierPublic, nextPublic] });
    // Once more, and a start of the system meanwhile: the same pair.
    await replace({ NEW_IDENTITY_KEY: 'gateway' });
    await ensureIdentityKeys(files);
    expect(await published()).toMatchObject({ gateway: [earlierPublic, nextPublic] });
    await expect(replace({ END_IDENTITY_KEY: 'gateway' })).rejects.toThrow(
      'SIGNING_IDENTITY_KEY=gateway first',
    );

    // As a run that was killed before the key took its place leaves it.
    await writeFile(previousKeyFile(files.privateKey('gateway')), JSON.stringify(earlierPublic));
    await replace({ SIGNING_IDENTITY_KEY: 'gateway' });
    expect(await json(files.privateKey('gateway'))).toEqual(next);
    await ensureIdentityKeys(files);
    expect(await published()).toMatchObject({ gateway: [nextPublic, earlierPublic] });
    await expect(replace({ NEW_IDENTITY_KEY: 'gateway' })).rejects.toThrow('END_IDENTITY_KEY=gateway first');
    await replace({ SIGNING_IDENTITY_KEY: 'gateway' });

    await replace({ END_IDENTITY_KEY: 'gateway' });
    expect(await published()).toMatchObject({ gateway: nextPublic });
    await expect(replace({ SIGNING_IDENTITY_KEY: 'gateway' })).rejects.toThrow(
      'NEW_IDENTITY_KEY=gateway first',
    );
    await expect(replace({ NEW_IDENTITY_KEY: 'toString' })).rejects.toThrow('There is no issuer "toString"');
  });
});
