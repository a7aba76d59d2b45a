import { type ExpiringKey, gatewayRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop, requestOf, type ServiceClient } from '@frontdesk/service';
import { emailMembers } from '../mail/email-members.ts';
import { addKeyNotice, purgeKeyNotices } from './key-notice.repository.ts';
import { noticeDue } from './key-notices.rules.ts';
import { keyLabel } from './key-status.rules.ts';

const INTERVAL_MS = 3_600_000;
const LONGEST_BACKOFF_MS = 600_000;

/** Emails the owners and developers of a business a week and a day before one of its keys expires. */
export const createKeyExpiryWorker = ({
  database,
  gateway,
  logger,
}: {
  database: Database;
  gateway: ServiceClient;
  logger: Logger;
}): Component =>
  loop({
    name: 'expiring keys',
    intervalMs: INTERVAL_MS,
    maxBackoffMs: LONGEST_BACKOFF_MS,
    logger,
    async run(signal) {
      const faults: unknown[] = [];
      for (let after = 0; !signal.aborted; ) {
        const asked = requestOf(gatewayRoutes.listExpiringKeys, { role: 'service', query: { after } });
        const keys: ExpiringKey[] = await gateway.request(asked);
        const last = keys.at(-1);
        if (!last) break;
        // No business waits for another one.
        for (const [tenantId, own] of Map.groupBy(keys, ({ tenant_id }) => tenant_id))
          await tell(database, tenantId, own).catch((error: unknown) => faults.push(error));
        after = last.id;
      }
      await purgeKeyNotices(database.system);
      if (faults.length > 0)
        throw new AggregateError(faults, 'not all businesses were told about their keys');
    },
  });

/** In one transaction, so that the keys of a business are one email. */
const tell = (database: Database, tenantId: number, keys: readonly ExpiringKey[]) =>
  database.forTenantInBackground(tenantId).transaction(async (tx) => {
    for (const key of keys) {
      const { id: keyId, expires_at: expiresAt } = key;
      const notice = noticeDue(key, Date.now());
      if (notice === null || !(await addKeyNotice(tx, { keyId, expiresAt, notice }))) continue;
      await emailMembers(tx, {
        kind: 'key_expires',
        details: { name: keyLabel(key), at: expiresAt },
      });
    }
  });
