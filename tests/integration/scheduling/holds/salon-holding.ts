import { openSalon } from '../salon.ts';
import type { SchedulingWorld } from '../scheduling-world.ts';

/** A hairdresser's where Anna is held at 10:00. */
export async function salonHolding(world: SchedulingWorld, fields: object = {}) {
  const salon = await openSalon(world);
  const { status, body } = await salon.hold({ staff_id: salon.anna, ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return { ...salon, held: body.data, id: body.data.id as number };
}

export type SalonHolding = Awaited<ReturnType<typeof salonHolding>>;
