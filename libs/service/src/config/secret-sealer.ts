import type { Component } from '../run/component.ts';
import type { Logger } from '../run/logging.ts';
import { loop } from '../run/loop.ts';
import type { SecretBox } from './secret-box.ts';

const INTERVAL_MS = 60_000;
const BATCH = 500;
const OTHERS_MAY_GO = 'all are sealed with the first key; the others may go once every process has it first';

/** What became of the secrets that another key than the first has sealed, or none. */
export interface Sealing {
  sealed: number;
  /** Their key is missing. */
  unreadable: number;
}

/** One of them, as it is to be stored. */
export interface Resealed {
  isChanged: boolean;
  isUnreadable: boolean;
}

/**
 * Seals anew all that `find` finds, by id, a batch at a time. `write` says how many it has written: others may have
 * been replaced meanwhile.
 */
export async function sealAnew<Row extends { id: number }, Anew extends Resealed>(steps: {
  find: (afterId: number, limit: number) => Promise<Row[]>;
  reseal: (row: Row) => Anew;
  write: (rows: Anew[]) => Promise<number>;
}): Promise<Sealing> {
  const counts = { sealed: 0, unreadable: 0 };
  for (let after = 0; ; ) {
    const rows = await steps.find(after, BATCH);
    const resealed = rows.map(steps.reseal);
    const changed = resealed.filter(({ isChanged }) => isChanged);
    if (changed.length > 0) counts.sealed += await steps.write(changed);
    counts.unreadable += resealed.filter(({ isUnreadable }) => isUnreadable).length;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return counts;
    after = last.id;
  }
}

/**
 * Seals secrets that another key or no key has sealed, and says when the other keys may go. Not at once: in a rollout processes that
 * don't know this one's key, or know nothing of sealing, still read what they find.
 */
export function createSecretSealer(options: {
  /** What the secrets are, in the log. */
  secrets: string;
  box: Pick<SecretBox, 'keyId' | 'otherKeyIds'>;
  seal: () => Promise<Sealing>;
  sealAfterMs: number;
  logger: Logger;
}): Component {
  const { secrets, seal, sealAfterMs, logger } = options;
  const { keyId, otherKeyIds } = options.box;
  const beginsAt = performance.now() + sealAfterMs;
  let isSaid = otherKeyIds.length === 0;
  return loop({
    name: 'secret sealer',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      if (performance.now() < beginsAt) return;
      const { sealed, unreadable } = await seal();
      if (sealed > 0) logger.info({ count: sealed, key_id: keyId }, `${secrets} sealed`);
      if (unreadable > 0)
        logger.error({ count: unreadable }, `${secrets} can’t be read: their key is missing`);
      if (isSaid || unreadable > 0) return;
      // A process that seals with another key may have replaced one meanwhile.
      const left = await seal();
      isSaid = left.sealed + left.unreadable === 0;
      if (isSaid) logger.info({ key_id: keyId, other_key_ids: otherKeyIds }, `${secrets}: ${OTHERS_MAY_GO}`);
    },
  });
}
