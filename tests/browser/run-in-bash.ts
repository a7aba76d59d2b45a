import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

interface Answered {
  /** Null where no request was made. */
  status: number | null;
  /** What was printed, errors too. */
  output: string;
}

/** Each command by itself in one terminal, its answer's head and all that it prints put aside. */
const SCRIPT = `
curl() { command curl --dump-header "$DIRECTORY/$NTH.head" "$@"; }
for NTH in $(seq 0 "$LAST"); do
  source "$DIRECTORY/$NTH.sh" > "$DIRECTORY/$NTH.out" 2>&1
done`;

/** Runs commands one after the other, as somebody would who pastes them into one terminal. */
export async function runInBash(commands: readonly string[]): Promise<Answered[]> {
  const directory = await mkdtemp(join(tmpdir(), 'commands-'));
  try {
    const inOrder = commands.map((command, nth) => ({ command, file: join(directory, `${nth}`) }));
    await Promise.all(inOrder.map(({ command, file }) => writeFile(`${file}.sh`, command)));
    const env = { ...process.env, DIRECTORY: directory, LAST: String(commands.length - 1) };
    await execute('bash', ['-c', SCRIPT], { env }).catch(() => {});
    return await Promise.all(
      inOrder.map(async ({ file }) => {
        const head = await readFile(`${file}.head`, 'utf8').catch(() => '');
        const [, status] = /^HTTP\S+ (\d+)/.exec(head) ?? [];
        return { status: status ? Number(status) : null, output: await readFile(`${file}.out`, 'utf8') };
      }),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}
