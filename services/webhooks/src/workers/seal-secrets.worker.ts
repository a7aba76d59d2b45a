import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import type { SigningSecrets } from '../state/signing-secrets.ts';
import { sealSecrets } from '../use-cases/seal-secrets.ts';

const INTERVAL_MS = 60_000;

/**
 * Seals secrets that another key or no key has sealed. Not at once: in a rollout processes that don't know this one's key, or
 * know nothing of sealing, still sign with what they find.
 */
export function createSecretSealer(options: {
  database: Database;
  secrets: SigningSecrets;
  sealAfterMs: number;
  logger: Logger;
}): Component {
  const { database, secrets, sealAfterMs, logger } = options;
  const beginsAt = performance.now() + sealAfterMs;
  return loop({
    name: 'secret sealer',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      if (performance.now() < beginsAt) return false;
      const { sealed, unreadable } = await sealSecrets(database.system, secrets);
      if (sealed > 0) logger.info({ endpoints: sealed }, 'signing secrets sealed');
      if (unreadable > 0)
        logger.error({ endpoints: unreadable }, 'signing secrets can’t be read: their key is missing');
      return false;
    },
  });
}
