import type { StuckEventId } from '@frontdesk/contracts';
import { AppError, type Logger, notFound } from '@frontdesk/service';
import type { DeadLetterRow, StuckEvents } from './stuck-events.repository.ts';

/** A consumer, as far as its dead letters need it. */
export interface LetterReader {
  group: string;
  /** Takes a message in that was set aside. @returns why it can't be taken in, still; null once it is applied */
  retake(value: Buffer | null): Promise<string | null>;
}

interface Deps {
  stuck: StuckEvents;
  readers: readonly LetterReader[];
}

type Outcome = 'retried' | 'still_stuck';

/** Letters that one part of a long retry takes, and for how long, at most. */
const DEAD_LETTERS_AT_ONCE = 100;
const PART_MS = 3_000;

/** Reads a letter once more. It goes only after it is applied: cut off in between, it is read again. */
async function retryDeadLetter({ stuck, readers }: Deps, letter: DeadLetterRow): Promise<string | null> {
  const reader = readers.find(({ group }) => group === letter.consumer);
  const lack = reader
    ? await reader.retake(letter.value)
    : `this service has no consumer ${letter.consumer} any more`;
  if (lack === null) await stuck.remove({ kind: 'letter', id: letter.id });
  return lack;
}

/** @throws AppError `not_found`; `bad_request` for a letter that this release can't take in either */
export async function retryStuckEvent(deps: Deps, { kind, id }: StuckEventId): Promise<void> {
  if (kind === 'parked') {
    if ((await deps.stuck.unpark(id)) === 0) throw notFound('Stuck event');
    return;
  }
  const letter = await deps.stuck.letter(id);
  if (letter === null) throw notFound('Stuck event');
  const lack = await retryDeadLetter(deps, letter);
  if (lack !== null) throw new AppError('bad_request', `It can't be taken in, still: ${lack}`);
}

/** @returns what came of it; null where somebody else has dealt with it meanwhile */
async function tryDeadLetter(deps: Deps & { logger: Logger }, id: number): Promise<Outcome | null> {
  try {
    const letter = await deps.stuck.letter(id);
    if (letter === null) return null;
    return (await retryDeadLetter(deps, letter)) === null ? 'retried' : 'still_stuck';
  } catch (error) {
    deps.logger.error({ err: error, stuck_event: `letter-${id}` }, 'a dead letter could not be taken in');
    return 'still_stuck';
  }
}

/**
 * Everything that is parked at once, then letters, a part of them at a time: those after this one, of which none is held up by
 * another that still can't be taken in, or whose taking in fails.
 */
export async function retryStuckEvents(deps: Deps & { logger: Logger }, after: number) {
  const { stuck } = deps;
  const endsAt = performance.now() + PART_MS;
  const ids = await stuck.deadLetterIdsAfter(after, DEAD_LETTERS_AT_ONCE);
  // Last of what may fail as a whole: what has been given to the relay is counted.
  const unparked = after === 0 ? await stuck.unpark(null) : 0;
  const counted: Record<Outcome, number> = { retried: unparked, still_stuck: 0 };
  for (const id of ids) {
    const outcome = await tryDeadLetter(deps, id);
    if (outcome !== null) counted[outcome] += 1;
    if (performance.now() > endsAt) return { ...counted, next_after: id };
  }
  const isAll = ids.length < DEAD_LETTERS_AT_ONCE;
  return { ...counted, next_after: isAll ? null : (ids.at(-1) ?? null) };
}
