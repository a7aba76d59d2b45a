import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlock } from '../rendering/markdown.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'samples', 'receivers');

const NODE = { file: 'receiver.mjs', title: 'Node.js without packages', language: 'js' };

/** Whole receivers of webhooks, in the order of the guide: each is a file of `samples/receivers`. */
const RECEIVERS = [
  NODE,
  { file: 'receiver.py', title: 'Python', language: 'python' },
  { file: 'receiver.php', title: 'PHP', language: 'php' },
  { file: 'receiver.go', title: 'Go', language: 'go' },
];

const programOf = ({ file, language }: (typeof RECEIVERS)[number]): string =>
  codeBlock(language, `the receiver ${file}`, readFileSync(join(FOLDER, file), 'utf8').trimEnd());

export const receiverSamples = (): string =>
  RECEIVERS.map((receiver) => `### ${receiver.title}\n\n${programOf(receiver)}`).join('\n\n');

export const nodeReceiver = (): string => programOf(NODE);
