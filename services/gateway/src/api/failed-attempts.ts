import { type AppError, addressBlock, type ClientAddress } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { perMinute, tighterWindow } from '../domain/rate-limit.ts';
import { type Limiter, rateLimited } from './limiter.ts';

/** Failed attempts of one kind that a client address has. */
const FAILED_ATTEMPT_WINDOWS = perMinute(60);
const MAX_SPENT = 10_000;

export interface FailedAttempts {
  /** Counts one attempt of this kind: null, or 429 for a client that has had as many as one address may. */
  count(kind: string, request: FastifyRequest): Promise<AppError | null>;
  /** 429 for a client that `count` has refused in this window, without counting anything or asking anybody. */
  refusal(kind: string, request: FastifyRequest): AppError | null;
  /** The client's address, or the block of addresses that it has to itself. */
  addressOf(request: FastifyRequest): string;
}

/** Counts what fails by the client's address. Only failures are ever refused for it: many good clients may share one. */
export function createFailedAttempts(deps: {
  limiter: Limiter;
  clientAddress: ClientAddress;
}): FailedAttempts {
  const { limiter, clientAddress } = deps;
  /** Who has no attempt left, and until when (epoch milliseconds). */
  const spent = new LRUCache<string, number>({ max: MAX_SPENT });

  const addressOf = ({ raw }: FastifyRequest) => addressBlock(clientAddress(raw));
  const subjectOf = (kind: string, request: FastifyRequest) => `${kind}:${addressOf(request)}`;
  const refusalOf = (subject: string) => {
    const leftMs = (spent.get(subject) ?? 0) - Date.now();
    return leftMs > 0 ? rateLimited('Too many failed attempts.', Math.ceil(leftMs / 1_000)) : null;
  };

  return {
    addressOf,
    async count(kind, request) {
      const subject = subjectOf(kind, request);
      const refused = refusalOf(subject);
      if (refused) return refused;
      const decision = await limiter.take(request, subject, FAILED_ATTEMPT_WINDOWS);
      if (decision.allowed) return null;
      spent.set(subject, Date.now() + tighterWindow(decision).secondsLeft * 1_000);
      return refusalOf(subject);
    },
    refusal: (kind, request) => refusalOf(subjectOf(kind, request)),
  };
}
