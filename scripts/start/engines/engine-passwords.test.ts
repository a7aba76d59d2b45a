import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enginePasswords } from '@frontdesk/service';
import { keyFilesIn } from '../keys/identity-keys.ts';
import { writeJson } from '../keys/json-file.ts';
import {
  administratorPassword,
  administratorPasswords,
  ensureEnginePasswords,
  usersOf,
} from './engine-passwords.ts';
import { replaceEnginePasswords } from './replace-passwords.ts';

describe("the passwords of a system's engines", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'engine-passwords-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const contents = async () =>
    Promise.all((await readdir(directory)).sort().map((name) => readFile(join(directory, name), 'utf8')));

  it('are made once, each another one, and a later start changes nothing', async () => {
    const files = keyFilesIn(directory);
    expect(await ensureEnginePasswords(files)).toHaveLength(9);
    const before = await contents();

    expect(await ensureEnginePasswords(files)).toEqual([]);
    expect(await contents()).toEqual(before);
    const passwords = before.join().match(/[\w-]{43}/g);
    expect(passwords).toHaveLength(16);
    expect(new Set(passwords).size).toBe(16);
  });

  it('are added for an engine that a later release uses, and the others stay', async () => {
    const files = keyFilesIn(directory);
    await writeJson(files.servicePasswords('gateway'), { postgres: 'kept' }, { mode: 0o600 });

    expect(await ensureEnginePasswords(files)).toContain('gateway (redis, kafka)');
    expect(enginePasswords(files.servicePasswords('gateway'), 'postgres')).toEqual(['kept']);
  });

  it('are replaced in two steps: the earlier ones stay until they are ended', async () => {
    const files = keyFilesIn(directory);
    await ensureEnginePasswords(files);
    const file = files.servicePasswords('crm');
    const [first] = enginePasswords(file, 'kafka');
    const [firstOfAdmin] = await administratorPasswords('redis', files);

    for (const whose of ['crm', 'administrators']) {
      const env = { NEW_ENGINE_PASSWORDS: whose };
      expect(await replaceEnginePasswords(files, env)).toBeNull();
      const before = await contents();
      expect(await replaceEnginePasswords(files, env)).toMatch(
        new RegExp(`run kafka-users and the migrate job, then .* END_ENGINE_PASSWORDS=${whose}`),
      );
      expect(await contents()).toEqual(before);
    }
    const [second] = enginePasswords(file, 'kafka');
    expect(enginePasswords(file, 'kafka')).toEqual([second, first]);
    expect(second).not.toBe(first);
    expect((await administratorPasswords('redis', files))[1]).toBe(firstOfAdmin);

    for (const whose of ['crm', 'administrators'])
      await replaceEnginePasswords(files, { END_ENGINE_PASSWORDS: whose });
    expect(enginePasswords(file, 'kafka')).toEqual([second]);
    expect(await administratorPasswords('redis', files)).toHaveLength(1);
    expect(await replaceEnginePasswords(files, { NEW_ENGINE_PASSWORDS: 'crm' })).toBeNull();
    await expect(replaceEnginePasswords(files, { NEW_ENGINE_PASSWORDS: 'nobody' })).rejects.toThrow(
      'There is no service "nobody": one of gateway,',
    );
  });

  it('can be read by their owner alone, a file for each service and for each administrator', async () => {
    const files = keyFilesIn(directory);
    await ensureEnginePasswords(files);

    const file = files.servicePasswords('settings-ui');
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await stat(files.administratorPassword('kafka'))).mode & 0o077).toBe(0);
    expect(usersOf('redis', files)).toEqual([
      expect.objectContaining({ service: 'gateway', user: 'gateway' }),
      { service: 'settings-ui', user: 'settings-ui', passwords: enginePasswords(file, 'redis') },
    ]);
    expect(usersOf('postgres', files).at(-1)).toMatchObject({ user: 'frontdesk_settings_ui' });
    expect(await administratorPassword('kafka', files)).toMatch(/^[\w-]{43}$/);
  });
});
