import { AppError, invalid } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText } from '../ui/form-errors.ts';
import { messagePage } from '../ui/message.view.ts';
import type { ErrorPage } from '../ui/pages.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

export const voidLink = () =>
  invalid({ token: ['This link has been used or has expired. Please ask for a new one.'] });

export const isVoidLink = (error: unknown): boolean =>
  error instanceof AppError && error.errors?.token !== undefined;

/**
 * What the routes of links share. Strangers reach these routes, and their requests look a link up: so `count` limits requests by
 * address, and those with void links more tightly. `title`: of the page that refuses a link.
 */
export function handleLinks(
  { attempts, addressOf, pages }: Pick<SignInRouteDeps, 'attempts' | 'addressOf' | 'pages'>,
  title: string,
) {
  const counted = new WeakMap<FastifyRequest, { giveBack: () => Promise<void> }>();
  const giveBack = async (request: FastifyRequest) => {
    const count = counted.get(request);
    counted.delete(request);
    // It may have changed a password by now: that is said, also where this can't be given back.
    await count?.giveBack().catch((error) => request.log.warn({ err: error }, 'a good link counts as void'));
  };
  const sayRefusal: ErrorPage = (request, reply, error) =>
    pages.send(reply, messagePage(pages.context(request), { title, text: errorText(error) }));
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
    sayRefusal,
    /** Shows the page of a link again, or why the link is void by now. */
    async showAgain(request: FastifyRequest, reply: FastifyReply, show: () => Promise<unknown>) {
      try {
        return await show();
      } catch (error) {
        if (isVoidLink(error)) return sayRefusal(request, reply, error as AppError);
        throw error;
      }
    },
  };
}
