import { randomInt } from 'node:crypto';

/** A tenant that no other test, of this run or an earlier one, has used. */
export function uniqueTenantId(): number {
  return randomInt(1, 2 ** 47);
}
