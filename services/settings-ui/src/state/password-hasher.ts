import {
  DECOY_HASH,
  type Derive,
  derive,
  hashPassword,
  verifyPassword,
} from '../domain/sign-in/password-hash.ts';
import { createHashingQueue } from './hashing-queue.ts';

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Hashes and verifies admins' passwords. Both wait for their turn, and throw AppError `service_unavailable` where too many do. */
export function createPasswordHasher({ by = derive }: { by?: Derive } = {}) {
  const queue = createHashingQueue();
  return {
    /** For somebody of this tenant, who has shown a link or a session. */
    hash: (password: string, tenantId: number) => queue.run(tenantId, () => hashPassword(password, by)),
    /** Whether it is the one that was hashed. Without a hash it is wrong, after the same work. `tenantId` is null for a stranger. */
    verify: (password: string, hash: string | null, tenantId: number | null) =>
      queue.run(tenantId, () => verifyPassword(password, hash ?? DECOY_HASH, by)),
  };
}
