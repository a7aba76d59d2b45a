import { AppError, notFound } from '@frontdesk/service';
import type { DeadLetterRow, StuckEventId, StuckEvents } from './stuck-events.repository.ts';

/** A consumer, as far as its dead letters need it. */
export interface LetterReader {
  group: string;
  /** Takes a message in that was set aside. @returns why it can't be read, still; null once it is applied */
  retake(value: Buffer | null): Promise<string | null>;
}

interface Deps {
  stuck: StuckEvents;
  readers: readonly LetterReader[];
}

/** Letters that one part of a long retry takes, and for how long, at most. */
const LETTERS_AT_ONCE = 100;
const PART_MS = 3_000;

/** Reads a letter once more. It goes only after it is applied: cut off in between, it is read again. */
async function retryLetter({ stuck, readers }: Deps, letter: DeadLetterRow): Promise<string | null> {
  const reader = readers.find(({ group }) => group === letter.consumer);
  const lack = reader
    ? await reader.retake(letter.value)
    : `this service has no consumer ${letter.consumer} any more`;
  if (lack === null) await stuck.remove({ kind: 'letter', id: letter.id });
  return lack;
}

/** @throws AppError `not_found`; `bad_request` for a letter that this release can't read either */
export async function retryStuckEvent(deps: Deps, { kind, id }: StuckEventId): Promise<void> {
  if (kind === 'parked') {
    if ((await deps.stuck.unpark(id)) === 0) throw notFound('Stuck event');
    return;
  }
  const [letter] = await deps.stuck.lettersAfter(id - 1, 1);
  if (letter?.id !== id) throw notFound('Stuck event');
  const lack = await retryLetter(deps, letter);
  if (lack !== null) throw new AppError('bad_request', `It can't be read, still: ${lack}`);
}

/**
 * Everything that is parked at once, then letters, a part of them at a time: those after this one, of which none is held up by
 * another that still can't be read.
 */
export async function retryStuckEvents(deps: Deps, after: number) {
  const { stuck } = deps;
  const endsAt = performance.now() + PART_MS;
  const unparked = after === 0 ? await stuck.unpark(null) : 0;
  const letters = await stuck.lettersAfter(after, LETTERS_AT_ONCE);
  const told = { retried: unparked, still_stuck: 0 };
  for (const letter of letters) {
    told[(await retryLetter(deps, letter)) === null ? 'retried' : 'still_stuck'] += 1;
    if (performance.now() > endsAt) return { ...told, next_after: letter.id };
  }
  const isAll = letters.length < LETTERS_AT_ONCE;
  return { ...told, next_after: isAll ? null : (letters.at(-1)?.id ?? null) };
}
