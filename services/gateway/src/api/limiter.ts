import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { RateWindow } from '@frontdesk/redis';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { RateLimitKey } from '../clients/rate-limit-store.ts';
import { type Decision, tighterWindow } from '../domain/rate-limit.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the limiter under way counts. */
    rateLimitKey: RateLimitKey | null;
  }
}

export interface Limiter {
  /** Counts one request, if all windows allow it. */
  take(request: FastifyRequest, subject: string, windows: readonly RateWindow[]): Promise<Decision>;
  /** The state of the windows, without counting anything. */
  peek(request: FastifyRequest, subject: string, windows: readonly RateWindow[]): Promise<Decision>;
}

export type Limiters = (name: string) => Limiter;

/**
 * Registers @fastify/rate-limit over our store. Its own hook and headers are off: the hook misses unknown paths, and the headers
 * know one window only.
 */
export async function registerRateLimits(
  app: App,
  { store, metrics }: { store: FastifyRateLimitStoreCtor; metrics: GatewayMetrics },
): Promise<Limiters> {
  app.decorateRequest('rateLimitKey', null);
  await app.register(rateLimit, { global: false, store });

  return (name) => {
    const count = metrics.decided(name);
    const ask = app.createRateLimit({
      max: 1,
      // Typed as text, but handed to the store as it is.
      keyGenerator: (request) => request.rateLimitKey as unknown as string,
    });
    const decide = async (request: FastifyRequest, key: RateLimitKey, increment: boolean) => {
      request.rateLimitKey = key;
      await ask(request, { increment });
      return key.decision as Decision;
    };
    return {
      async take(request, subject, windows) {
        const decision = await decide(request, { subject, windows, decision: null }, true);
        count(decision);
        return decision;
      },
      peek: (request, subject, windows) => decide(request, { subject, windows, decision: null }, false),
    };
  };
}

/** 429 until the window ends that stopped the client. */
export const tooMany = (message: string, decision: Decision): AppError =>
  rateLimited(message, tighterWindow(decision).secondsLeft);

export const rateLimited = (message: string, retryAfterSeconds: number): AppError =>
  new AppError('rate_limited', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
