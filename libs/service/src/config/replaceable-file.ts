import { readFileSync } from 'node:fs';

/** How long what was read counts as the file's content. */
const LOOK_EVERY_MS = 1_000;

/** Why a file can't be used any more. */
export interface FileFault {
  /** Of the file, never of what is in it. */
  message: string;
}

/**
 * A file that is replaced while the process runs, by a rename. Whoever asks for its content gets what the file held within the last
 * second. A file that is missing or damaged leaves what was read before in force, and is reported once.
 * @throws Error naming the file, and never what is in it, where it can't be read the first time
 */
export function createReplaceableFile<Content>(options: {
  path: string;
  /** May throw: its message is reported, so it must not repeat the content. */
  parse: (text: string) => Content;
  onFault?: ((fault: FileFault) => void) | undefined;
}): { current: () => Content } {
  const { path, parse, onFault } = options;
  let text = readOf(path);
  let content = parse(text);
  let lookedAt = performance.now();
  let reported = '';

  const look = () => {
    try {
      const found = readOf(path);
      if (found !== text) {
        content = parse(found);
        text = found;
      }
      reported = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== reported) onFault?.({ message });
      reported = message;
    }
  };

  return {
    current() {
      const now = performance.now();
      if (now - lookedAt >= LOOK_EVERY_MS) {
        lookedAt = now;
        look();
      }
      return content;
    },
  };
}

function readOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${path} can't be read (${code}).`, { cause: error });
  }
}
