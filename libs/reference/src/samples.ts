import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlock } from './markdown.ts';

const FOLDER = join(import.meta.dirname, '..', 'samples', 'receivers');

/** Whole receivers of webhooks, in the order of the guide: each is a file of `samples/receivers`. */
const RECEIVERS: readonly { file: string; title: string; language: string }[] = [
  { file: 'receiver.mjs', title: 'Node.js without packages', language: 'js' },
  { file: 'receiver.py', title: 'Python', language: 'python' },
  { file: 'receiver.php', title: 'PHP', language: 'php' },
  { file: 'receiver.go', title: 'Go', language: 'go' },
];

export const receiverSamples = (): string =>
  RECEIVERS.map(({ file, title, language }) => {
    const text = readFileSync(join(FOLDER, file), 'utf8').trimEnd();
    return `### ${title}\n\n${codeBlock(language, `the receiver ${file}`, text)}`;
  }).join('\n\n');
