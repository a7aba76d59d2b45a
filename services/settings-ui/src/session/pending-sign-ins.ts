import type { SecretBox } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { createSealedValues, type SealedValues } from './sealed-values.ts';
import type { SignInProof } from './session.rules.ts';

const LIVES_SECONDS = 600;

export type PendingSignIns = SealedValues<SignInProof>;

/** Sign-ins with the right password that wait for the choice of a business. They open nothing else. */
export const createPendingSignIns = (redis: Redis, secrets: SecretBox): PendingSignIns =>
  createSealedValues(redis, secrets, { prefix: 'settings:sign-in:', seconds: LIVES_SECONDS });
