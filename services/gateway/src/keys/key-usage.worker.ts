import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { forgetKeyUses, forgetRolledKeys, type KeyUse, noteKeyUses } from './api-key.repository.ts';
import type { KeyAccess } from './api-key.rules.ts';

const FLUSH_INTERVAL_MS = 30_000;
const DAY_MS = 86_400_000;

const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

/** Counts requests by key and UTC day in memory; writes them every 30 seconds and before the gateway stops. */
export function createKeyUsage(options: { database: Database; logger: Logger }) {
  const { system } = options.database;
  let uses = new Map<number, KeyUse>();
  /** Counts of earlier days that are not written yet. */
  let earlier: KeyUse[] = [];
  let forgottenMs = 0;
  let today = { day: '', endsMs: 0 };

  const flush = async () => {
    const taken = [...earlier, ...uses.values()];
    uses = new Map();
    earlier = [];
    if (taken.length === 0) return;
    try {
      await noteKeyUses(system, taken);
    } catch (error) {
      for (const use of taken) add(use, use.usedAt.getTime(), use.day, use.requests);
      throw error;
    }
  };

  const add = (
    { tenantId, keyId }: Pick<KeyAccess, 'tenantId' | 'keyId'>,
    atMs: number,
    day: string,
    requests: number,
  ) => {
    const use = uses.get(keyId);
    if (use?.day !== day) {
      if (use) earlier.push(use);
      uses.set(keyId, { tenantId, keyId, usedAt: new Date(atMs), day, requests });
      return;
    }
    // In place: a new object for each request would live long enough for V8 to copy it into the old generation.
    if (atMs > use.usedAt.getTime()) use.usedAt.setTime(atMs);
    use.requests += requests;
  };

  const worker = loop({
    name: 'key usage',
    intervalMs: FLUSH_INTERVAL_MS,
    async run() {
      await flush();
      if (Date.now() - forgottenMs < DAY_MS) return;
      await forgetKeyUses(system);
      await forgetRolledKeys(system);
      forgottenMs = Date.now();
    },
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
    flush,
    note(access: KeyAccess): void {
      const now = Date.now();
      if (now >= today.endsMs) today = { day: dayOf(now), endsMs: now - (now % DAY_MS) + DAY_MS };
      add(access, now, today.day, 1);
    },
  };
}
