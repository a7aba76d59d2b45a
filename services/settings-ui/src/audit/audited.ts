import type { Database, TenantScope } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import type { Member } from '../accounts/account.rules.ts';
import { listMemberships } from '../accounts/membership.repository.ts';
import type { Actor, ActorIds, AuditAction } from './audit.rules.ts';
import { concludeEntry, concludeFoldedEntry, foldEntry, insertEntry } from './audit-entry.repository.ts';

interface Entry {
  action: AuditAction;
  subject: string;
  /** The record that it is about, where that is there before. */
  record?: number;
  /** Whether it goes into one entry with others of its kind, which keeps the record's id and no subject. */
  isFolded?: boolean;
}

/** What a change is called in the audit log; `subjectOf` and `recordOf` say more once it is done, an id for example. */
export interface Change<Result> extends Entry {
  subjectOf?: (result: Result) => string;
  recordOf?: (result: Result) => number;
  /** Who the actor is, where they had no account or membership before. */
  actorOf?: (result: Result) => ActorIds;
}

type Write = (
  outcome: 'done' | 'refused',
  what: { subject: string; record?: number | undefined; exported?: number; who?: ActorIds | undefined },
) => Promise<unknown>;

/** Writes the outcome, and never fails: the change is made or refused already, and that is the answer. */
type Conclude = (...outcome: Parameters<Write>) => Promise<void>;

/** Writes the entry. @returns a function that writes its outcome; where it can't, the entry stays as begun */
async function begin(db: TenantScope, actor: Actor, entry: Entry): Promise<Conclude> {
  const write = await writeEntry(db, actor, entry);
  return async (...outcome) => {
    try {
      await write(...outcome);
    } catch (error) {
      db.logger.error(
        { err: error, tenant_id: db.tenantId, action: entry.action },
        'no outcome in the audit log',
      );
    }
  };
}

async function writeEntry(
  db: TenantScope,
  actor: Actor,
  { action, subject, record = null, isFolded = false }: Omit<Entry, 'record'> & { record?: number | null },
): Promise<Write> {
  if (isFolded) {
    const id = await foldEntry(db, actor, { action, record });
    return (outcome, { record = null, exported = null }) =>
      concludeFoldedEntry(db, id, { outcome, record, exported });
  }
  const { id } = await insertEntry(db, actor, action, subject);
  return (outcome, { subject, who }) => concludeEntry(db, id, { outcome, subject, who });
}

/**
 * Makes a change and writes it down: before it begins, and again what came of it. Both are in no transaction with
 * the change, so that a refusal stays in the log. A failure of which nobody knows whether the change was made
 * leaves the entry as begun, and so does an outcome that can't be written.
 */
export async function audited<Result>(
  db: TenantScope,
  actor: Actor,
  change: Change<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  return concluded(await begin(db, actor, change), change, work);
}

/** The same for a change of an account by its owner, in the log of each of its businesses. */
export const auditedForAccount = <Result>(
  database: Database,
  { accountId, ...actor }: Omit<Actor, 'membershipId'> & { accountId: number },
  change: Change<Result>,
  work: () => Promise<Result>,
): Promise<Result> =>
  inEachBusiness(
    database,
    accountId,
    (membershipId) => ({ ...actor, accountId, membershipId }),
    change,
    work,
  );

/** The same for a change of a member's account by an operator; without such a member, in the log of the named business. */
export const auditedForMember = <Result>(
  database: Database,
  { tenantId, member, by }: { tenantId: number; member: Pick<Member, 'account_id'> | null; by: Actor },
  change: Change<Result>,
  work: () => Promise<Result>,
): Promise<Result> =>
  member
    ? inEachBusiness(database, member.account_id, () => by, change, work)
    : audited(database.forTenant(tenantId), by, change, work);

async function inEachBusiness<Result>(
  database: Database,
  accountId: number,
  actorWith: (membershipId: number) => Actor,
  change: Change<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  const memberships = await listMemberships(database.systemForRequests, accountId);
  const begun = await Promise.all(
    memberships.map(({ tenant_id, id }) => begin(database.forTenant(tenant_id), actorWith(id), change)),
  );
  const conclude: Conclude = async (...outcome) => {
    await Promise.all(begun.map((one) => one(...outcome)));
  };
  return concluded(conclude, change, work);
}

async function concluded<Result>(
  conclude: Conclude,
  change: Change<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { subject } = change;
  try {
    const result = await work();
    const record = change.recordOf?.(result);
    const who = change.actorOf?.(result);
    await conclude('done', { subject: change.subjectOf?.(result) ?? subject, record, who });
    return result;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await conclude('refused', { subject });
    throw error;
  }
}

/**
 * The same for data that is handed out in pieces, a file for example: written down before the first piece, and as done
 * after the last. The entry of what stops in between stays as begun.
 */
export async function* auditedPieces<Piece>(
  db: TenantScope,
  actor: Actor,
  entry: Entry & { subjectOf: (exported: number) => string; exported: () => number },
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const conclude = await begin(db, actor, entry);
  yield* pieces;
  const exported = entry.exported();
  await conclude('done', { subject: entry.subjectOf(exported), exported });
}
