import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { foldWrongPassword } from './audit-entry.repository.ts';
import type { WrongPasswords } from './note-wrong-password.ts';

const INTERVAL_MS = 1_000;

/** Counts the wrong passwords that were noted, in the audit log of each business of their account. */
export const createWrongPasswordsWorker = ({
  database,
  wrongPasswords,
  logger,
}: {
  database: Database;
  wrongPasswords: Pick<WrongPasswords, 'writeLate'>;
  logger: Logger;
}): Component =>
  loop({
    name: 'wrong passwords',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      await wrongPasswords.writeLate();
      return foldWrongPassword(database.system);
    },
  });
