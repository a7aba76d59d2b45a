import type { Database } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import { beginEntry } from '../data/audit-log.repository.ts';
import type { Actor, AuditAction } from '../domain/audit.ts';

/** What a change is called in the audit log; `subjectOf` adds more once it is done, an id for example. */
export interface Change<Result> {
  action: AuditAction;
  subject: string;
  subjectOf?: (result: Result) => string;
}

/**
 * Makes a change and writes it down: before it begins, and again what came of it. A refusal stays in the log; a failure of
 * which nobody knows whether the change was made leaves the entry as begun.
 */
export async function audited<Result>(
  database: Database,
  actor: Actor,
  change: Change<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  const entry = await beginEntry(database, actor, change.action, change.subject);
  try {
    const result = await work();
    await entry.conclude('done', change.subjectOf?.(result));
    return result;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await entry.conclude('refused');
    throw error;
  }
}
