import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { terminalPath } from '../support/bare-path.ts';

const execute = promisify(execFile);

interface Answered {
  /** Null where no request was made. */
  status: number | null;
  /** What was printed, errors too. */
  output: string;
}

/** An answer's head is put aside. */
const WITH_HEADS = 'curl() { command curl --dump-header "$DIRECTORY/$NTH.head" "$@"; }';

/** Runs commands one after the other, as somebody would who pastes them into one terminal; with `sh`, `curl` and `node` alone. */
export async function runInShell(commands: readonly string[]): Promise<Answered[]> {
  const directory = await mkdtemp(join(tmpdir(), 'commands-'));
  try {
    const inOrder = commands.map((command, nth) => ({ command, nth, file: join(directory, `${nth}`) }));
    await Promise.all(inOrder.map(({ command, file }) => writeFile(`${file}.sh`, command)));
    const lines = inOrder.map(({ nth, file }) => `NTH=${nth}; . '${file}.sh' > '${file}.out' 2>&1`);
    const path = terminalPath();
    const env = { PATH: path, DIRECTORY: directory };
    await execute(join(path, 'sh'), ['-c', [WITH_HEADS, ...lines].join('\n')], { env }).catch(() => {});
    return await Promise.all(
      inOrder.map(async ({ file }) => {
        const head = await readFile(`${file}.head`, 'utf8').catch(() => '');
        const [, status] = /^HTTP\S+ (\d+)/.exec(head) ?? [];
        return {
          status: status ? Number(status) : null,
          output: await readFile(`${file}.out`, 'utf8').catch(() => ''),
        };
      }),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}
