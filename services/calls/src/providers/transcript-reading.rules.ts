import { MAX_CALL_SECONDS, type Utterance } from '@frontdesk/contracts';
import { at, lookUp, readText } from './reading.rules.ts';

/** More utterances than fit into what is kept of a transcript. */
const MAX_UTTERANCES = 50_000;

type Role = Utterance['role'];

/** One utterance as a provider states it; `role` undefined leaves it out. */
export interface StatedUtterance {
  role: Role | undefined;
  text: unknown;
  start?: unknown;
  end?: unknown;
}

/** Undefined where there is nothing to read. */
export function readTranscript(
  list: readonly unknown[],
  read: (item: unknown) => StatedUtterance,
): Utterance[] | undefined {
  const utterances: Utterance[] = [];
  for (const item of list.slice(0, MAX_UTTERANCES)) {
    const { role, text, start, end } = read(item);
    const words = role && readText(text);
    if (role && words)
      utterances.push({ role, text: words, start: readSeconds(start), end: readSeconds(end) });
  }
  return utterances.length > 0 ? utterances : undefined;
}

/** To the millisecond. */
function readSeconds(value: unknown): number | null {
  if (typeof value !== 'number' || !(value >= 0 && value <= MAX_CALL_SECONDS)) return null;
  return Math.round(value * 1_000) / 1_000;
}

const SPEAKER = /^(AI|Agent|Assistant|Bot|User|Customer):\s?/;

const ROLES: Readonly<Record<string, Role>> = {
  AI: 'agent',
  Agent: 'agent',
  Assistant: 'agent',
  Bot: 'agent',
  User: 'customer',
  Customer: 'customer',
};

/** A transcript written as text, each utterance a line that begins with its speaker: `AI: Hello` and `User: Hi`. */
export function readTranscriptText(value: unknown): Utterance[] | undefined {
  if (typeof value !== 'string') return undefined;
  const turns: { speaker: string; text: string }[] = [];
  for (const line of value.split('\n')) {
    const speaker = SPEAKER.exec(line);
    const last = turns.at(-1);
    if (speaker?.[1]) turns.push({ speaker: speaker[1], text: line.slice(speaker[0].length) });
    else if (last) last.text += `\n${line}`;
    if (turns.length > MAX_UTTERANCES) break;
  }
  return readTranscript(turns, (turn) => ({
    role: lookUp(ROLES, at(turn, 'speaker')),
    text: at(turn, 'text'),
  }));
}
