import type { TenantReads } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import { concludeEntry, insertEntry } from '../data/audit-entry.repository.ts';
import type { Actor, AuditAction } from '../domain/audit.ts';

/** What a change is called in the audit log; `subjectOf` adds more once it is done, an id for example. */
export interface Change<Result> {
  action: AuditAction;
  subject: string;
  subjectOf?: (result: Result) => string;
}

/**
 * Makes a change and writes it down: before it begins, and again what came of it. Both are in no transaction with the change, so that a
 * refusal stays in the log. A failure of which nobody knows whether the change was made leaves the entry as begun.
 */
export async function audited<Result>(
  db: TenantReads,
  actor: Actor,
  change: Change<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { action, subject } = change;
  const { id } = await insertEntry(db, actor, action, subject);
  try {
    const result = await work();
    await concludeEntry(db, id, { outcome: 'done', subject: change.subjectOf?.(result) ?? subject });
    return result;
  } catch (error) {
    if (error instanceof AppError && error.status < 500)
      await concludeEntry(db, id, { outcome: 'refused', subject });
    throw error;
  }
}

/**
 * The same for data that is handed out in pieces, a file for example: written down before the first piece, and as done after the last. The
 * entry of what stops in between stays as begun.
 */
export async function* auditedPieces<Piece>(
  db: TenantReads,
  actor: Actor,
  { action, subject, subjectAtEnd }: { action: AuditAction; subject: string; subjectAtEnd: () => string },
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const { id } = await insertEntry(db, actor, action, subject);
  yield* pieces;
  await concludeEntry(db, id, { outcome: 'done', subject: subjectAtEnd() });
}
