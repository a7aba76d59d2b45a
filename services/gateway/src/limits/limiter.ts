import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { type Decision, endOf, tighterWindow, type WindowState } from './rate-limit.rules.ts';
import type { RateLimitMetrics } from './rate-limit-metrics.ts';
import type { RateLimitStore } from './rate-limit-store.client.ts';

interface LimiterOptions {
  /** In the metrics. */
  name: string;
  /** Whose requests are counted together. */
  keyOf: (request: FastifyRequest) => string;
  /** In the order in which they are asked: a request that one of them refuses does not count in the later ones. */
  windows: readonly {
    name: string;
    seconds: number;
    limitOf: (request: FastifyRequest) => number;
  }[];
}

interface Limiter {
  /** Counts a request, as long as the windows allow it. */
  take(request: FastifyRequest): Promise<Decision>;
  /** The state of the windows, without counting anything. */
  peek(request: FastifyRequest): Promise<Decision>;
}

export type CreateLimiter = (options: LimiterOptions) => Limiter;

/** Makes limiters of @fastify/rate-limit, one for each window, over our store. */
export function createLimiters(
  app: App,
  { store, metrics }: { store: RateLimitStore; metrics: RateLimitMetrics },
): CreateLimiter {
  return ({ name: limiter, keyOf, windows }) => {
    const noteDecision = metrics.decided(limiter);
    const asks = windows.map(({ name, seconds, limitOf }) => {
      const ask = app.createRateLimit({
        timeWindow: seconds * 1_000,
        keyGenerator: keyOf,
        max: (request) => store.limitHere(limitOf(request)),
      });
      return async (request: FastifyRequest, increment: boolean) => {
        const answer = await ask(request, { increment });
        if (answer.isAllowed) throw new Error('No limiter has an allow list.');
        const { max: limit, remaining, ttl, ttlInSeconds: secondsLeft, isExceeded } = answer;
        const resetAt = endOf(seconds, ttl, Date.now());
        const window: WindowState = { name, seconds, limit, remaining, secondsLeft, resetAt };
        return { window, isExceeded };
      };
    });

    const decide = async (request: FastifyRequest, increment: boolean): Promise<Decision> => {
      const decision: Decision = { allowed: true, scope: 'shared', windows: [] };
      const noteScope = () => {
        if (store.isLocal()) decision.scope = 'local';
      };
      noteScope();
      for (const ask of asks) {
        const counts = increment && decision.allowed;
        // Asked again if Redis gave no answer: from then on the store counts in this process.
        const { window, isExceeded } = await ask(request, counts).catch(() => ask(request, counts));
        decision.windows.push(window);
        if (isExceeded) decision.allowed = false;
      }
      // Redis may have gone between two windows.
      noteScope();
      return decision;
    };
    return {
      async take(request) {
        const decision = await decide(request, true);
        noteDecision(decision);
        return decision;
      },
      peek: (request) => decide(request, false),
    };
  };
}

/** 429 until the end of the window that refused the request. */
export const tooMany = (message: string, decision: Decision): AppError =>
  rateLimited(message, tighterWindow(decision).secondsLeft);

export const rateLimited = (message: string, retryAfterSeconds: number): AppError =>
  new AppError('rate_limited', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
