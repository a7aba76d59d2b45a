import { calendarSchema, dataOf, pathId } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CalendarOwner, SchedulingClient } from '../../clients/scheduling.client.ts';
import type { CalendarEntries } from '../../views/business/calendar-cards.ts';
import type { Changes } from '../shared/changes.ts';
import type { FailurePage } from '../shared/pages.ts';

export interface CalendarRoutesDeps {
  calendars: SchedulingClient['calendars'];
  changes: Changes;
  /** Where the owner's page is. */
  base: string;
  /** Whose calendar a request is about, and what the audit log calls them. @throws AppError 404 */
  ownerOf: (request: FastifyRequest) => Promise<{ owner: CalendarOwner; name: string }>;
  show: (request: FastifyRequest, reply: FastifyReply, entries: CalendarEntries) => Promise<FastifyReply>;
  showRefusal: FailurePage;
}

/** A path that names nobody means the business itself. */
export const ownerPath = z.looseObject({ id: pathId.shape.id.optional() });
export const calendarAnswer = dataOf(calendarSchema);

/** The page that the calendar is on. */
export const pageOf = (base: string, request: FastifyRequest) =>
  base.replace(':id', String((request.params as { id?: number }).id));
