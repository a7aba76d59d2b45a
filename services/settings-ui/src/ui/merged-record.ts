import { ERROR_DATA } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page of a record, where one of the route's may have become part of another. */
    placeOf?: (id: number) => string;
  }
}

/** The record that the one of this 404 has become part of; null for any other failure. */
export const mergedIntoOf = (error: unknown): number | null =>
  error instanceof AppError && error.code === 'not_found'
    ? (ERROR_DATA.not_found.safeParse(error.data).data?.merged_into ?? null)
    : null;

/** Where the record is that a page or a change was asked of; null where it is part of no other. */
export function placeOfMerged({ routeOptions }: FastifyRequest, error: unknown): string | null {
  const { placeOf } = routeOptions.config;
  const id = mergedIntoOf(error);
  return placeOf && id !== null ? placeOf(id) : null;
}

/** Leads on from a page of a merged record. */
export const leadOn = (reply: FastifyReply, place: string): FastifyReply =>
  reply.redirect(`${place}?done=customer-was-merged`, 303);
