import type { Database } from '@frontdesk/database';
import type { Logger, Metrics } from '@frontdesk/service';
import { queueWrongPassword, type WrongPassword } from './audit-entry.repository.ts';

/** So many a process remembers that could not be written. */
const MOST_UNWRITTEN = 1_000;

/** Keeps a wrong password for the audit logs. It never fails, so that the answer is always the same. */
export type NoteWrongPassword = (wrong: WrongPassword) => Promise<void>;

export type WrongPasswords = ReturnType<typeof createWrongPasswords>;

/**
 * Wrong passwords go into the audit logs after the answer, so that its time says neither whether an email is known nor how many businesses
 * its account has. Those that can't be written wait in memory, so that nobody hides guesses by keeping the database busy.
 */
export function createWrongPasswords(deps: {
  database: Database;
  logger: Logger;
  metrics: Pick<Metrics, 'watch'>;
}) {
  const { database, logger, metrics } = deps;
  const unwritten: (WrongPassword & { at: Date })[] = [];
  const help = 'Wrong passwords that could not be written for the audit logs yet. At 1,000 more are lost.';
  metrics.watch({ name: 'wrong_passwords_unwritten', help }, () => unwritten.length);

  const note: NoteWrongPassword = async (wrong) => {
    const at = new Date();
    try {
      await queueWrongPassword(database.systemForRequests, wrong);
    } catch (error) {
      const isKept = unwritten.length < MOST_UNWRITTEN;
      if (isKept) unwritten.push({ ...wrong, at });
      logger.error({ err: error }, `a wrong password is ${isKept ? 'written later' : 'in no audit log'}`);
    }
  };
  return {
    note,
    /** Writes those that could not be written. @throws where that still fails */
    async writeLate(): Promise<void> {
      for (let [first] = unwritten; first; [first] = unwritten) {
        await queueWrongPassword(database.system, first);
        unwritten.shift();
      }
    },
  };
}
