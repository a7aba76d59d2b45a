import type { Database } from '@frontdesk/database';
import type { Logger } from '@frontdesk/service';
import { queueWrongPassword } from './audit-entry.repository.ts';

/** Keeps a wrong password for the audit logs. It never fails, so that the answer is always the same. */
export type NoteWrongPassword = (wrong: Parameters<typeof queueWrongPassword>[1]) => Promise<void>;

/**
 * Wrong passwords go into the audit logs after the answer, so that its time says neither whether an email is known nor how many businesses
 * its account has.
 */
export const createNoteWrongPassword =
  ({ database, logger }: { database: Database; logger: Logger }): NoteWrongPassword =>
  async (wrong) => {
    try {
      await queueWrongPassword(database.systemForRequests, wrong);
    } catch (error) {
      logger.error({ err: error }, 'a wrong password is in no audit log');
    }
  };
