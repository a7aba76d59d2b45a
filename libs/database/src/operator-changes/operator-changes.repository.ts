import type { OperatorChange, OperatorChangeOutcome } from '@frontdesk/contracts';
import type { Metrics } from '@frontdesk/service';
import type { SystemScope, TenantReads } from '../scope/scopes.ts';
import { systemSql, tenantSql } from '../scope/statements.ts';

/** One page; the rest follows at once. */
const OPERATOR_CHANGES_PAGE = 500;
/** Longer than any request lives: what is still begun then has lost its process. */
const ABANDONED_AFTER_MINUTES = 5;

type NewChange = Pick<OperatorChange, 'actor' | 'action' | 'subject' | 'outcome'>;

const insert = tenantSql<
  { id: number },
  { actor: string | null; action: string; subject: string; outcome: OperatorChangeOutcome }
>(
  'operator_changes_insert',
  `insert into operator_changes (tenant_id, actor, action, subject, outcome) values ($tenantId, $actor, $action, $subject, $outcome)
   returning id`,
);

/**
 * Writes down what an operator changes in a business: before it begins as `started`, or in the change's own
 * transaction. @returns its id
 */
export const insertOperatorChange = async (
  db: TenantReads,
  { actor, action, subject, outcome }: NewChange,
): Promise<number> => (await db.one(insert, { actor, action, subject, outcome })).id;

const conclude = tenantSql<never, { id: number; outcome: OperatorChangeOutcome; subject: string }>(
  'operator_changes_conclude',
  'update operator_changes set outcome = $outcome, subject = $subject where tenant_id = $tenantId and id = $id',
);

/** What came of it. */
export const concludeOperatorChange = (
  db: TenantReads,
  { id, outcome, subject }: { id: number; outcome: OperatorChangeOutcome; subject: string },
) => db.run(conclude, { id, outcome, subject });

/** Whether nothing more will be known of a change. */
const IS_OVER = `(outcome <> 'started' or at < now() - interval '${ABANDONED_AFTER_MINUTES} minutes')`;

const list = systemSql<Omit<OperatorChange, 'at'> & { at: Date }, { after: number }>(
  'operator_changes_list',
  `select id, tenant_id, at, actor, action, subject, outcome from operator_changes
   where id > $after and ${IS_OVER} order by id limit ${OPERATOR_CHANGES_PAGE}`,
);

/** The oldest after this one that are over, of all businesses. */
export const listOperatorChanges = async (system: SystemScope, after: number): Promise<OperatorChange[]> =>
  (await system.many(list, { after })).map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));

const oldest = systemSql<{ seconds: number }>(
  'operator_changes_oldest',
  `select coalesce((
     select extract(epoch from now() - case outcome
       when 'started' then at + interval '${ABANDONED_AFTER_MINUTES} minutes' else at end)::float8
     from operator_changes where ${IS_OVER} order by id limit 1
   ), 0) as seconds`,
);

/** Shows whether the audit logs get them. */
export function watchOperatorChanges(system: SystemScope, metrics: Pick<Metrics, 'watch'>): void {
  const help = 'How long the oldest change by an operator has waited for the audit log; 0 where none waits.';
  metrics.watch({ name: 'operator_changes_oldest_seconds', help }, async () =>
    Math.max(0, (await system.one(oldest)).seconds),
  );
}

const concludeAll = systemSql<never, { ids: number[]; outcomes: string[]; subjects: string[] }>(
  'operator_changes_conclude_all',
  `update operator_changes change set outcome = came.outcome, subject = came.subject
   from unnest($ids::bigint[], $outcomes::text[], $subjects::text[]) came (id, outcome, subject) where change.id = came.id`,
);

/** The same for many, of several tenants. */
export const concludeOperatorChanges = (
  system: SystemScope,
  changes: readonly { id: number; outcome: OperatorChangeOutcome; subject: string }[],
) =>
  system.run(concludeAll, {
    ids: changes.map(({ id }) => id),
    outcomes: changes.map(({ outcome }) => outcome),
    subjects: changes.map(({ subject }) => subject),
  });

const remove = systemSql<never, { ids: number[] }>(
  'operator_changes_remove',
  'delete from operator_changes where id = any($ids::bigint[])',
);

/** Once the audit logs have them, or where nothing was tried. @returns how many there were */
export const removeOperatorChanges = (system: SystemScope, ids: number[]): Promise<number> =>
  system.run(remove, { ids });
