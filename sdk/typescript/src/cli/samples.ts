import { eventNamed, examples } from './event-names.ts';
import { EXIT_DONE } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { parsed } from './words.ts';

const OPTIONS = { json: { type: 'boolean', default: false } } as const;

/** Prints one of each event, or the one that is named, as the reference shows it. @returns the exit code */
export async function samples(words: readonly string[], { out }: Terminal): Promise<number> {
  const { values, positionals } = parsed('samples', words, OPTIONS, { maxArguments: 1 });
  const [name] = positionals;
  if (name === undefined) {
    if (values.json) for (const example of examples()) out(JSON.stringify(example));
    else out(JSON.stringify(examples(), null, 2));
  } else {
    const example = { ...eventNamed(name).example, event: name };
    out(JSON.stringify(example, null, values.json ? 0 : 2));
  }
  return EXIT_DONE;
}
