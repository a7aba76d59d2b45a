import { type InjectedRequest, operator } from '../../support/index.ts';
import type { SchedulingWorld } from './scheduling-world.ts';

/** Requests to a tenant's internal routes by the operator; the path begins behind the tenant's id. */
export const asOperator =
  (world: SchedulingWorld, tenantId: number) =>
  (method: InjectedRequest['method'], path: string, body?: object, headers?: InjectedRequest['headers']) =>
    world.send('internal', operator, { method, url: `/internal/tenants/${tenantId}${path}`, body, headers });

/** How many of the answers have each status. */
export const statusCounts = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, list]) => [status, list.length]),
  );
