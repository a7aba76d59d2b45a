import { FAILED_ATTEMPTS_PER_MINUTE } from '@frontdesk/contracts';
import { type AppError, addressBlock, type ClientAddress } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CreateLimiter, rateLimited } from './limiter.ts';
import { MINUTE, tighterWindow } from './rate-limit.rules.ts';

const MAX_SPENT = 10_000;

/** The client's address, or the block of addresses that it has to itself. */
export type AddressOf = (request: FastifyRequest) => string;

export const createAddressOf =
  (clientAddress: ClientAddress): AddressOf =>
  ({ raw }) =>
    addressBlock(clientAddress(raw));

export interface FailedAttempts {
  /** Counts a failed attempt. @returns 429 if the client's address has used up its attempts, else null */
  count(request: FastifyRequest): Promise<AppError | null>;
  /** 429 if `count` has refused this client in this window. Counts nothing, and asks neither Redis nor a service. */
  refusal(request: FastifyRequest): AppError | null;
}

/**
 * Counts failed attempts of one kind by the client's address. Keys and ingest addresses are too long to be guessed: the bound keeps
 * look-ups of bad ones from taking the gateway's time. It refuses failures only, since many good clients may share an address.
 */
export function createFailedAttempts(deps: {
  createLimiter: CreateLimiter;
  kind: string;
  addressOf: AddressOf;
}): FailedAttempts {
  const keyOf = (request: FastifyRequest) => `${deps.kind}:${deps.addressOf(request)}`;
  const limiter = deps.createLimiter({
    name: 'failed_attempts',
    keyOf,
    windows: [{ name: 'minute', seconds: MINUTE, limitOf: () => FAILED_ATTEMPTS_PER_MINUTE }],
  });
  /** Clients without an attempt left, and until when (epoch milliseconds). */
  const spent = new LRUCache<string, number>({ max: MAX_SPENT });

  const refusal = (request: FastifyRequest) => {
    const leftMs = (spent.get(keyOf(request)) ?? 0) - Date.now();
    return leftMs > 0 ? rateLimited('Too many failed attempts.', Math.ceil(leftMs / 1_000)) : null;
  };
  return {
    refusal,
    async count(request) {
      const refused = refusal(request);
      if (refused) return refused;
      const decision = await limiter.take(request);
      if (decision.allowed) return null;
      spent.set(keyOf(request), Date.now() + tighterWindow(decision).secondsLeft * 1_000);
      return refusal(request);
    },
  };
}
