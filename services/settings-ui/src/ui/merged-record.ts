import { ERROR_DATA } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The address of a record's page, for a 404 that names the record into which it was merged. */
    recordAddress?: (id: number) => string;
  }
}

/** The record into which the one of this 404 was merged; null for any other failure. */
export const mergedIntoOf = (error: unknown): number | null =>
  error instanceof AppError && error.code === 'not_found'
    ? (ERROR_DATA.not_found.safeParse(error.data).data?.merged_into ?? null)
    : null;

/** The page of the record into which the asked one was merged; null for any other failure. */
export function addressOfMerged({ routeOptions }: FastifyRequest, error: unknown): string | null {
  const { recordAddress } = routeOptions.config;
  const id = mergedIntoOf(error);
  return recordAddress && id !== null ? recordAddress(id) : null;
}

/** From a page of a merged record. */
export const redirectToMerged = (reply: FastifyReply, address: string): FastifyReply =>
  reply.redirect(`${address}?done=customer-was-merged`, 303);
