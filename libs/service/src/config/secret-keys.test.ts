import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecretKeys } from './secret-keys.ts';

describe('loadSecretKeys', () => {
  let directory: string;
  let file: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'secret-keys-'));
    file = join(directory, 'secrets.json');
  });
  afterAll(() => rm(directory, { recursive: true }));

  const load = async (content: unknown) => {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return loadSecretKeys(file);
  };
  const entry = (id: string) => ({ id, key: randomBytes(32).toString('base64') });

  it('answers the keys in the order of the file: the first one seals', async () => {
    const keys = [entry('2027-01'), entry('2026-01')];
    expect(await load({ keys })).toEqual(
      keys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') })),
    );
  });

  it.each([
    ['no key', { keys: [] }],
    ['no list', entry('1')],
    ['one id twice', { keys: [entry('1'), entry('1')] }],
    ['a key of 16 bytes', { keys: [{ id: '1', key: randomBytes(16).toString('base64') }] }],
    ['an id with a dot, which separates the parts of what is sealed', { keys: [entry('1.2')] }],
    ['no JSON', '{"keys": [{"id": "1", "key": "c2VjcmV0'],
  ])('names the file, and nothing that is in it: %s', async (_case, content) => {
    const error = await load(content).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    const { message, cause } = error as Error;
    expect(message).toContain(`${file} must hold`);
    expect([message.includes('c2VjcmV0'), cause]).toEqual([false, undefined]);
  });

  it('says so when there is no file', async () => {
    await expect(loadSecretKeys(join(directory, 'none.json'))).rejects.toThrow(/none\.json can't be read/);
  });
});
