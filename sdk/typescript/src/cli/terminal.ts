/** The parts of the process that a command uses. */
export interface Terminal {
  /** A line of the result. */
  out(line: string): void;
  /** A line about the work, for people. */
  err(line: string): void;
  hasColours: boolean;
  env: NodeJS.ProcessEnv;
  /** Aborts at Ctrl-C, and when nobody reads the output any more: `BROKEN_PIPE` is the reason then. */
  signal: AbortSignal;
}

export const BROKEN_PIPE = 'broken pipe';

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal of this process, until `close`. */
export function openTerminal(): { terminal: Terminal; close(): void } {
  const { env, stdout, stderr } = process;
  const ending = new AbortController();
  const end = () => ending.abort('signal');
  // EPIPE means that the reader has gone. Any other error is thrown, as it would be without this listener.
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    ending.abort(BROKEN_PIPE);
  };
  for (const name of ENDING_SIGNALS) process.on(name, end);
  stdout.on('error', onError);
  stderr.on('error', onError);
  return {
    terminal: {
      out: (line) => void stdout.write(`${line}\n`),
      err: (line) => void stderr.write(`${line}\n`),
      hasColours: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
      env,
      signal: ending.signal,
    },
    close() {
      for (const name of ENDING_SIGNALS) process.off(name, end);
    },
  };
}

/** Control characters, those that turn the direction of text, and line ends. */
const COMMANDS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Makes foreign text one line that commands no terminal. */
export const plain = (text: string): string => text.replace(COMMANDS, ' ').trim();
