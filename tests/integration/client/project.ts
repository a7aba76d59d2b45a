import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../e2e/support/command.ts';

const root = join(import.meta.dirname, '../../..');
export const sdk = join(root, 'sdk');
const client = join(sdk, 'typescript');

async function succeed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(words);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}.\n${stdout}${stderr}`);
  return stdout;
}

/** An integrator's empty project with the packed client in it, as a fresh clone packs it; installed without a registry. */
export async function createProject() {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-client-'));
  await rm(join(client, 'dist'), { recursive: true, force: true });
  const packed = await succeed('npm', 'pack', client, '--json', '--pack-destination', directory);
  await succeed(join(root, 'node_modules/.bin/publint'), client, '--strict');
  const filename = /frontdesk-client-[\w.]+\.tgz/.exec(packed)?.[0] ?? '';
  await writeFile(join(directory, 'package.json'), '{ "name": "integrator", "type": "module" }');
  await succeed(
    'npm',
    'install',
    '--prefix',
    directory,
    '--offline',
    '--no-audit',
    '--no-fund',
    join(directory, filename),
  );
  const link = (from: string, name: string) =>
    symlink(join(from, name), join(directory, 'node_modules', name));
  await Promise.all(['express', 'fastify', '@types'].map((name) => link(join(root, 'node_modules'), name)));
  return {
    directory,
    write: (name: string, content: string) => writeFile(join(directory, name), content),
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 10 }),
  };
}

export type Project = Awaited<ReturnType<typeof createProject>>;

/** The blocks of TypeScript in the client's README. */
export async function readmeBlocks(): Promise<string[]> {
  const text = await readFile(join(client, 'README.md'), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
}

/** The compiler that integrators have: TypeScript 5. */
export const typeScript5 = join(sdk, 'generator/node_modules/typescript/bin/tsc');
