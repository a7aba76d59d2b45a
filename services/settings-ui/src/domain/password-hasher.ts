import { createHashingQueue } from './hashing-queue.ts';
import { DECOY_HASH, type Derive, derive, hashPassword, verifyPassword } from './password.ts';

/** Hashes and verifies passwords of admins. Both wait in a queue. @throws AppError `service_unavailable` where the queue is full */
export interface PasswordHasher {
  /** For a browser that has shown a valid link or session. */
  hash(password: string): Promise<string>;
  /** Whether the password fits the hash. Without a hash it never does, after the same work. */
  verify(password: string, hash: string | null, options: { isStranger: boolean }): Promise<boolean>;
}

export function createPasswordHasher({ by = derive }: { by?: Derive } = {}): PasswordHasher {
  const queue = createHashingQueue();
  return {
    hash: (password) => queue.run('known', () => hashPassword(password, by)),
    verify: (password, hash, { isStranger }) =>
      queue.run(isStranger ? 'stranger' : 'known', () => verifyPassword(password, hash ?? DECOY_HASH, by)),
  };
}
