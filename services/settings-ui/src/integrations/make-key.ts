import type { CreatedApiKey } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { AppError, type Logger } from '@frontdesk/service';
import { dropHeld, holdForMembers } from '../mail/email.repository.ts';
import { emailMembers, membersFor } from '../mail/email-members.ts';
import { keyLabel } from './key-status.rules.ts';

/**
 * Makes or rolls an API key, and emails the owners and developers. The gateway commits by itself, so an email is kept back
 * first: it goes out after a minute if this process dies in between.
 */
export async function makeKeyWithEmail(
  { scope, log }: { scope: TenantScope; log: Pick<Logger, 'warn'> },
  { name, by, make }: { name: string; by: string; make: () => Promise<CreatedApiKey> },
) {
  const members = await membersFor(scope, 'key_asked');
  const held = await holdForMembers(scope, { kind: 'key_asked', members, details: { name, by } });
  const instead = (email: Parameters<typeof emailMembers<'new_key' | 'key_asked'>>[1] | null) =>
    scope
      .transaction(async (tx) => {
        await dropHeld(tx, held);
        if (email) await emailMembers(tx, email);
      })
      // The held email goes out instead.
      .catch((error: unknown) => log.warn({ err: error }, 'an email about a key goes out later'));

  try {
    const made = await make();
    await instead({ kind: 'new_key', details: { name: keyLabel(made), by } });
    return made;
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500;
    await instead(isRefused ? null : { kind: 'key_asked', details: { name, by } });
    throw error;
  }
}
