import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { type KeyUse, noteKeyUses } from './api-key.repository.ts';
import type { KeyAccess } from './api-key.rules.ts';

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
      // In place: a new object for each request would live long enough for V8 to copy it into the old generation.
      if (use) use.usedAt.setTime(Date.now());
      else uses.set(keyId, { tenantId, keyId, usedAt: new Date() });
    },
  };
}
