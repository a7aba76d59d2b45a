import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enginePasswords } from './engine-passwords.ts';

describe('enginePasswords', () => {
  let directory: string;
  let file: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'engine-passwords-'));
    file = join(directory, 'engines.json');
  });
  afterAll(() => rm(directory, { recursive: true }));

  const read = async (content: unknown) => {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return enginePasswords(file, 'redis');
  };

  it('answers the current password, then the previous one', async () => {
    expect(await read({ postgres: 'p', redis: 'r' })).toEqual(['r']);
    expect(await read({ redis: 'new', previous: { redis: 'old' } })).toEqual(['new', 'old']);
  });

  it.each([
    ['no password of this engine', { postgres: 'c2VjcmV0' }],
    ['an empty one', { redis: '' }],
    ['no JSON', '{"redis": "c2VjcmV0'],
  ])('names the variable and the file, and nothing that is in it: %s', async (_case, content) => {
    const error = await read(content).catch((thrown: Error) => thrown);
    expect(error).toEqual(new Error(`ENGINE_PASSWORDS_FILE: ${file} must hold {"redis": "<password>"}.`));
    expect((error as Error).cause).toBeUndefined();
  });

  it('says so when there is no file', () => {
    expect(() => enginePasswords(join(directory, 'none.json'), 'redis')).toThrow(
      /^ENGINE_PASSWORDS_FILE: .*none\.json can't be read \(ENOENT\)\.$/,
    );
  });
});
