import type { StuckEventId } from '@frontdesk/contracts';
import { AppError, type Logger, notFound } from '@frontdesk/service';
import {
  concludeOperatorChanges,
  removeOperatorChanges,
} from '../operator-changes/operator-changes.repository.ts';
import type { SystemScope } from '../scope/scopes.ts';
import type { DeadLetterRow, StuckEvents } from './stuck-events.repository.ts';

/** A consumer, as far as its dead letters need it. */
export interface DeadLetterReader {
  group: string;
  /** Applies a message that was set aside. @returns why it still can't be applied; null if it was */
  applyDeadLetter(value: Buffer | null): Promise<string | null>;
}

interface Deps {
  stuck: StuckEvents;
  readers: readonly DeadLetterReader[];
}

type Outcome = 'retried' | 'still_stuck';

/** How many dead letters one request retries at most, and for how long. */
const DEAD_LETTERS_AT_ONCE = 100;
const REQUEST_MS = 3_000;

/** Applies a dead letter, then removes it. Cut off in between, it is applied again. @returns why it still can't be applied; else null */
async function retryDeadLetter({ stuck, readers }: Deps, deadLetter: DeadLetterRow): Promise<string | null> {
  const reader = readers.find(({ group }) => group === deadLetter.consumer);
  const reason = reader
    ? await reader.applyDeadLetter(deadLetter.value)
    : `this service has no consumer ${deadLetter.consumer} any more`;
  if (reason === null) await stuck.remove({ kind: 'letter', id: deadLetter.id });
  return reason;
}

/** @throws AppError `not_found`; `bad_request` for a dead letter that this release can't apply either */
export async function retryStuckEvent(deps: Deps, { kind, id }: StuckEventId): Promise<void> {
  if (kind === 'parked') {
    if ((await deps.stuck.unpark(id)).length === 0) throw notFound('Stuck event');
    return;
  }
  const deadLetter = await deps.stuck.deadLetter(id);
  if (deadLetter === null) throw notFound('Stuck event');
  const reason = await retryDeadLetter(deps, deadLetter);
  if (reason !== null) throw new AppError('bad_request', `The message still can't be applied: ${reason}`);
}

/** Retries a dead letter. @returns its tenant and the outcome; null where it is gone meanwhile */
async function tryDeadLetter(deps: Deps & { logger: Logger }, id: number) {
  let tenantId: number | null = null;
  try {
    const deadLetter = await deps.stuck.deadLetter(id);
    if (deadLetter === null) return null;
    tenantId = deadLetter.tenant_id;
    const outcome: Outcome = (await retryDeadLetter(deps, deadLetter)) === null ? 'retried' : 'still_stuck';
    return { tenantId, outcome };
  } catch (error) {
    deps.logger.error({ err: error, stuck_event: `letter-${id}` }, 'a dead letter could not be applied');
    return { tenantId, outcome: 'still_stuck' as const };
  }
}

interface RetryDeps extends Deps {
  system: SystemScope;
  logger: Logger;
  /** Who uses the operator's key. */
  actor: string | null;
}

/**
 * Retries all parked events at once, then dead letters from `after` on, at most 100 and for three seconds a request.
 * A dead letter that fails again does not stop the others. Each tenant's audit log gets an entry before the retry,
 * and its result afterwards.
 */
export async function retryStuckEvents(deps: RetryDeps, after: number) {
  const { stuck, actor } = deps;
  const endsAt = performance.now() + REQUEST_MS;
  const deadLetterIds = await stuck.deadLetterIdsAfter(after, DEAD_LETTERS_AT_ONCE);
  const withParked = after === 0;
  const entries = await stuck.beginRetry(actor, 'stuck_event_retried', { withParked, deadLetterIds });
  const tally = createTally();
  // The last step that may fail before events are counted: unparked events can't be taken back. Events that were
  // parked since, of a tenant without an audit entry, stay parked.
  const told = entries.map(({ tenant_id }) => tenant_id);
  const unparked = withParked ? await stuck.unparkOf(told) : [];
  for (const { tenant_id, count } of unparked) tally.add(tenant_id, 'retried', count);
  let isCutOff = false;
  let last: number | null = null;
  for (const id of deadLetterIds) {
    const tried = await tryDeadLetter(deps, id);
    if (tried) tally.add(tried.tenantId, tried.outcome);
    last = id;
    isCutOff = performance.now() > endsAt;
    if (isCutOff) break;
  }
  await conclude(deps, entries, tally).catch((error: unknown) =>
    deps.logger.error({ err: error }, 'what came of a retry is not recorded'),
  );
  const isAll = !isCutOff && deadLetterIds.length < DEAD_LETTERS_AT_ONCE;
  return { ...tally.all, next_after: isAll ? null : last };
}

/** Counts what came of events, of each tenant and of all. */
function createTally() {
  const all: Record<Outcome, number> = { retried: 0, still_stuck: 0 };
  const byTenant = new Map<number | null, Record<Outcome, number>>();
  return {
    all,
    of: (tenantId: number) => byTenant.get(tenantId),
    add(tenantId: number | null, outcome: Outcome, count = 1) {
      byTenant.getOrInsertComputed(tenantId, () => ({ retried: 0, still_stuck: 0 }))[outcome] += count;
      all[outcome] += count;
    },
  };
}

/** A tenant of whose events none was tried yet has no entry: the next part makes one. */
async function conclude(
  { system }: RetryDeps,
  entries: readonly { id: number; tenant_id: number }[],
  tally: ReturnType<typeof createTally>,
): Promise<void> {
  const untried = entries.filter(({ tenant_id }) => !tally.of(tenant_id)).map(({ id }) => id);
  if (untried.length > 0) await removeOperatorChanges(system, untried);
  const tried = entries.flatMap(({ id, tenant_id }) => {
    const counted = tally.of(tenant_id);
    if (!counted) return [];
    const { retried, still_stuck: stillStuck } = counted;
    return {
      id,
      outcome: retried > 0 ? ('done' as const) : ('refused' as const),
      subject: stillStuck > 0 ? `events: ${retried}, still stuck: ${stillStuck}` : `events: ${retried}`,
    };
  });
  if (tried.length > 0) await concludeOperatorChanges(system, tried);
}
