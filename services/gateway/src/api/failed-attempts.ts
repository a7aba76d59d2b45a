import type { IncomingMessage } from 'node:http';
import type { RateWindow } from '@frontdesk/redis';
import { AppError, addressBlock, atMost, type ClientAddress } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import { FAILED_ATTEMPT_WINDOWS, tighterWindow } from '../domain/rate-limit.ts';
import type { Limiter } from '../use-cases/limit-request.ts';

const MAX_SPENT = 10_000;

export interface FailedAttempts {
  /** Counts one attempt of this kind: null, or 429 for a client that has had as many as one address may. */
  count(kind: string, request: IncomingMessage, windows?: readonly RateWindow[]): Promise<AppError | null>;
  /** 429 for a client that `count` has refused in this window, without counting anything or asking anybody. */
  refusal(kind: string, request: IncomingMessage): AppError | null;
  /** The client's address, or the block of addresses that it has to itself. */
  addressOf(request: IncomingMessage): string;
}

/** Counts what fails by the client's address. Only failures are ever refused for it: many good clients may share one. */
export function createFailedAttempts(deps: {
  /** Of its own, so that a flood of addresses can't push others out of what is counted locally. */
  limiter: Limiter;
  clientAddress: ClientAddress;
}): FailedAttempts {
  const { limiter, clientAddress } = deps;
  /** Who has no attempt left, and until when (epoch milliseconds). */
  const spent = new LRUCache<string, number>(atMost(MAX_SPENT));

  const addressOf = (request: IncomingMessage) => addressBlock(clientAddress(request));
  const subjectOf = (kind: string, request: IncomingMessage) => `${kind}:${addressOf(request)}`;
  const refusalOf = (subject: string) => {
    const leftMs = (spent.get(subject) ?? 0) - Date.now();
    return leftMs > 0 ? tooMany('Too many failed attempts.', Math.ceil(leftMs / 1_000)) : null;
  };

  return {
    addressOf,
    async count(kind, request, windows = FAILED_ATTEMPT_WINDOWS) {
      const subject = subjectOf(kind, request);
      const refused = refusalOf(subject);
      if (refused) return refused;
      const decision = await limiter.take(subject, windows);
      if (decision.allowed) return null;
      spent.set(subject, Date.now() + tighterWindow(decision).secondsLeft * 1_000);
      return refusalOf(subject);
    },
    refusal: (kind, request) => refusalOf(subjectOf(kind, request)),
  };
}

export const tooMany = (message: string, retryAfterSeconds: number) =>
  new AppError('rate_limited', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
