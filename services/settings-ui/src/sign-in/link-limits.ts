import { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

export const isVoidLink = (error: unknown): boolean =>
  error instanceof AppError && error.errors?.token !== undefined;

/**
 * For routes to which a link leads: `count` limits by address what comes, and more tightly what comes with void links.
 * Strangers reach these routes, and their requests look a link up.
 */
export function limitLinks({ attempts, addressOf }: Pick<SignInRouteDeps, 'attempts' | 'addressOf'>) {
  const counted = new WeakMap<FastifyRequest, { giveBack: () => Promise<void> }>();
  const giveBack = async (request: FastifyRequest) => {
    const count = counted.get(request);
    counted.delete(request);
    // It may have changed a password by now: that is said, also where this can't be given back.
    await count?.giveBack().catch((error) => request.log.warn({ err: error }, 'a good link counts as void'));
  };
  return {
    count: async (request: FastifyRequest) =>
      void counted.set(request, await attempts.countLink(addressOf(request))),
    /** Follows the link. The request counts as one with a void link unless this finds a good one. */
    async follow<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
      try {
        const result = await work();
        await giveBack(request);
        return result;
      } catch (error) {
        if (!isVoidLink(error)) await giveBack(request);
        throw error;
      }
    },
  };
}
