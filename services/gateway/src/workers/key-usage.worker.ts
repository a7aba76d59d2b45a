import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { type KeyUse, noteKeyUses } from '../data/api-key.repository.ts';
import type { KeyAccess } from '../domain/key-access.ts';

const FLUSH_INTERVAL_MS = 30_000;

/** Gathers which keys were used and writes `last_used_at` of all of them at once, also before the gateway stops. */
export function createKeyUsage(options: { database: Database; logger: Logger }) {
  const uses = new Map<number, KeyUse>();

  const flush = async () => {
    const taken = [...uses.values()];
    uses.clear();
    if (taken.length === 0) return;
    try {
      await noteKeyUses(options.database.system, taken);
    } catch (error) {
      for (const use of taken) if (!uses.has(use.keyId)) uses.set(use.keyId, use);
      throw error;
    }
  };

  const worker = loop({
    name: 'key usage',
    intervalMs: FLUSH_INTERVAL_MS,
    run: flush,
    logger: options.logger,
  });
  const component: Component = {
    ...worker,
    async stop() {
      await worker.stop();
      await flush();
    },
  };
  return {
    component,
    note({ tenantId, keyId }: KeyAccess): void {
      const use = uses.get(keyId);
      // A new one for each request would live until it is copied among the long-lived objects.
      if (use) use.usedAt.setTime(Date.now());
      else uses.set(keyId, { tenantId, keyId, usedAt: new Date() });
    },
  };
}
