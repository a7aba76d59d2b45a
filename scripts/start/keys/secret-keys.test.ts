import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox, loadSecretKeys } from '@frontdesk/service';
import { addSecretKey, ensureSecretKeys, sealBy } from './secret-keys.ts';

describe('the keys that secrets are sealed with', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'keys-'));
    file = join(directory, 'calls', 'secrets.json');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('are made once, and read by their owner alone', async () => {
    expect(await ensureSecretKeys(file)).toBe(true);
    const before = await readFile(file, 'utf8');

    expect(await ensureSecretKeys(file)).toBe(false);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('are never made anew over a file that is damaged, which is named with what to do', async () => {
    await ensureSecretKeys(file);
    await writeFile(file, '{"keys');
    await expect(ensureSecretKeys(file)).rejects.toThrow(`${file} is damaged: put back a copy of it.`);
    expect(await readFile(file, 'utf8')).toBe('{"keys');
  });

  it('are replaced in two steps: a new one opens at first, then it seals, and the old one still opens', async () => {
    await ensureSecretKeys(file);
    const [first] = await loadSecretKeys(file);
    const sealed = createSecretBox(await loadSecretKeys(file)).seal('whsec_x', '1:2');
    const added = await addSecretKey(file);
    expect((await loadSecretKeys(file)).map(({ id }) => id)).toEqual([first?.id, added]);

    expect(await sealBy(file, 'unknown')).toBe(false);
    for (let twice = 0; twice < 2; twice += 1) expect(await sealBy(file, added)).toBe(true);
    const keys = await loadSecretKeys(file);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toEqual(first);
    const box = createSecretBox(keys);
    expect(box.open(sealed, '1:2')).toBe('whsec_x');
    expect(box.seal('whsec_x', '1:2').split('.')[1]).toBe(keys[0]?.id);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('are what a service reads, and no two systems have the same', async () => {
    await ensureSecretKeys(file);
    const other = join(directory, 'other.json');
    await ensureSecretKeys(other);

    const sealed = createSecretBox(await loadSecretKeys(file)).seal('whsec_x', '1:2');
    expect(createSecretBox(await loadSecretKeys(file)).open(sealed, '1:2')).toBe('whsec_x');
    const elsewhere = createSecretBox(await loadSecretKeys(other));
    expect(() => elsewhere.open(sealed, '1:2')).toThrow();
  });
});
