import { createHashingQueue } from './hashing-queue.ts';
import { DECOY_HASH, type Derive, derive, hashPassword, verifyPassword } from './password.ts';

/** Passwords of admins. Both wait for their turn, and throw AppError `service_unavailable` where too many do. */
export interface Passwords {
  /** For somebody who has shown a link or a session. */
  hash(password: string): Promise<string>;
  /** Whether it is the one that was hashed. Without a hash it is wrong, after the same work. */
  verify(password: string, hash: string | null, options: { isStranger: boolean }): Promise<boolean>;
}

export function createPasswords({ by = derive }: { by?: Derive } = {}): Passwords {
  const queue = createHashingQueue();
  return {
    hash: (password) => queue.run('known', () => hashPassword(password, by)),
    verify: (password, hash, { isStranger }) =>
      queue.run(isStranger ? 'stranger' : 'known', () => verifyPassword(password, hash ?? DECOY_HASH, by)),
  };
}
