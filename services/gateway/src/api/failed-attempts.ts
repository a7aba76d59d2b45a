import { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { addressBlock, type ClientAddress } from '../domain/client-address.ts';
import { FAILED_ATTEMPT_WINDOWS, tighterWindow } from '../domain/rate-limit.ts';
import type { Limiter } from '../use-cases/limit-request.ts';

export interface FailedAttempts {
  /** The failure itself, or 429 for a client that has had as many of this kind as one address may. */
  judge(kind: string, request: FastifyRequest, failure: AppError): Promise<AppError>;
  /** The client's address, or the block of addresses that it has to itself. */
  addressOf(request: FastifyRequest): string;
}

/** Counts what fails by the client's address. Only failures are ever refused for it: many good clients may share one. */
export function createFailedAttempts(deps: {
  /** Of its own, so that a flood of addresses can't push others out of what is counted locally. */
  limiter: Limiter;
  clientAddress: ClientAddress;
}): FailedAttempts {
  const { limiter, clientAddress } = deps;

  const addressOf = ({ headers, socket }: FastifyRequest) => {
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',');
    return addressBlock(clientAddress(socket.remoteAddress ?? '', forwardedFor));
  };

  return {
    addressOf,
    async judge(kind, request, failure) {
      const decision = await limiter.take(`${kind}:${addressOf(request)}`, FAILED_ATTEMPT_WINDOWS);
      if (decision.allowed) return failure;
      return tooMany('Too many failed attempts.', tighterWindow(decision).secondsLeft);
    },
  };
}

export const tooMany = (message: string, retryAfterSeconds: number) =>
  new AppError('rate_limited', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
