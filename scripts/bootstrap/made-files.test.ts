import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureMade } from './made-files.js';

describe('files that are made of others', () => {
  let directory: string;
  let makings: number;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'frontdesk-made-'));
    makings = 0;
    mkdirSync(path('source/below/node_modules'), { recursive: true });
    writeFileSync(path('source/below/one.ts'), 'one');
    writeFileSync(path('lock.json'), 'lock');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const path = (name: string) => join(directory, name);
  const made = () => readFileSync(path('made/all.ts'), 'utf8');
  const ensure = (meanwhile = () => {}) =>
    ensureMade({
      folder: path('made'),
      inputs: ['lock.json', 'source'].map(path),
      make: async (folder) => {
        makings += 1;
        const source = readFileSync(path('source/below/one.ts'), 'utf8');
        meanwhile();
        writeFileSync(join(folder, 'all.ts'), `${source}, ${readFileSync(path('lock.json'), 'utf8')}`);
      },
    });

  it('are made once, and not again while nothing has changed', async () => {
    await ensure();
    await ensure();
    expect([makings, made()]).toEqual([1, 'one, lock']);
    expect(readdirSync(path('made')).sort()).toEqual(['.made-from', 'all.ts']);
  });

  it.each<[string, () => void]>([
    ['a source has changed', () => writeFileSync(path('source/below/one.ts'), 'two')],
    ['a source has another name', () => writeFileSync(path('source/below/two.ts'), '')],
    ['the lock has changed', () => writeFileSync(path('lock.json'), 'new lock')],
    ['somebody has edited them', () => writeFileSync(path('made/all.ts'), 'edited')],
    ['one is missing', () => rmSync(path('made/all.ts'))],
    ['one is left of an earlier making', () => writeFileSync(path('made/old.ts'), 'old')],
  ])('are made again where %s', async (_case, change) => {
    await ensure();
    change();
    await ensure();
    await ensure();
    const [source, lock] = ['source/below/one.ts', 'lock.json'].map((name) =>
      readFileSync(path(name), 'utf8'),
    );
    expect([makings, made(), existsSync(path('made/old.ts'))]).toEqual([2, `${source}, ${lock}`, false]);
  });

  it('do not depend on tests or on what is installed: the lock says that', async () => {
    await ensure();
    writeFileSync(path('source/one.test.ts'), 'test');
    writeFileSync(path('source/below/node_modules/package.js'), 'package');
    await ensure();
    expect(makings).toBe(1);
  });

  it('are made again where a source changed during a making', async () => {
    await ensure(() => writeFileSync(path('source/below/one.ts'), 'two'));
    expect(made()).toBe('one, lock');
    await ensure();
    expect([makings, made()]).toEqual([2, 'two, lock']);
  });

  it('stay as they are where a making fails, and are made the next time', async () => {
    await ensure();
    writeFileSync(path('source/below/one.ts'), 'two');
    const fault = () => {
      throw new Error('out of order');
    };
    await expect(ensure(fault)).rejects.toThrow('out of order');
    expect([made(), readdirSync(path('made')).length]).toEqual(['one, lock', 2]);
    await ensure();
    expect(made()).toBe('two, lock');
  });

  it('are made again where two makings of different sources ended as a mixture', async () => {
    await ensure();
    const first = readFileSync(path('made/.made-from'), 'utf8');
    writeFileSync(path('source/below/one.ts'), 'two');
    await ensure();
    writeFileSync(path('made/.made-from'), first);
    writeFileSync(path('source/below/one.ts'), 'one');
    await ensure();
    expect(made()).toBe('one, lock');
  });
});
