import { createHashingQueue } from './hashing.queue.ts';
import { DECOY_HASH, type Derive, derive, hashPassword, verifyPassword } from './password-hash.rules.ts';
import { createPasswordJudge } from './password-judge.ts';

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/**
 * Hashes, verifies and judges admins' passwords. All wait for a place, and throw AppError `service_unavailable`
 * where too many do.
 */
export function createPasswordHasher({ by = derive }: { by?: Derive } = {}) {
  const queue = createHashingQueue();
  const { judge, stop } = createPasswordJudge();
  return {
    /** For somebody of this tenant, who has shown a link or a session. */
    hash: (password: string, tenantId: number) => queue.run(tenantId, () => hashPassword(password, by)),
    /**
     * Whether it is the one that was hashed. Without a hash it is wrong, after the same work. `tenantId` is
     * null for a stranger.
     */
    verify: (password: string, hash: string | null, tenantId: number | null) =>
      queue.run(tenantId, () => verifyPassword(password, hash ?? DECOY_HASH, by)),
    /** How easily somebody guesses it who knows these names. */
    estimate: (password: string, names: string[], tenantId: number) => judge(tenantId, { password, names }),
    stop,
  };
}
