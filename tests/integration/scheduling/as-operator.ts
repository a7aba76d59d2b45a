import { type InjectedRequest, operator } from '../../support/index.ts';
import { openSalon } from './salon.ts';
import type { SchedulingWorld } from './scheduling-world.ts';

/** Requests to a tenant's internal routes by the operator, or by its own admin (`whoRuns`); the path begins behind the tenant's id. */
export const asOperator =
  (world: SchedulingWorld, tenantId: number) =>
  (method: InjectedRequest['method'], path: string, body?: object, headers?: InjectedRequest['headers']) =>
    world.send('internal', operator, { method, url: `/internal/tenants/${tenantId}${path}`, body, headers });

/** A hairdresser's with what its operator does there. */
export async function salonToRun(world: SchedulingWorld) {
  const salon = await openSalon(world);
  return { ...salon, send: asOperator(world, salon.tenantId) };
}
