import { MONDAY } from '../scheduling/salon.ts';
import type { startCalendarWorld } from './calendar-world.ts';

type World = Awaited<ReturnType<typeof startCalendarWorld>>;
type Salon = Awaited<ReturnType<World['newSalon']>>;

export const BOOK = '/settings/calendar/book';

/** The last step at ten on the Monday, as far as a browser sends it. */
export const formOf = (salon: Pick<Salon, 'serviceIds'>, fields: Record<string, string> = {}) => ({
  service_id: String(salon.serviceIds[0]),
  date: MONDAY,
  time: '10:00',
  form_token: 'token-1',
  ...fields,
});

/** The appointments of the Monday. */
export const bookedOn = async ({ browser }: Pick<Salon, 'browser'>) => {
  const { body } = await browser.json('GET', `/settings/calendar?date=${MONDAY}`);
  type Column = {
    appointments: { id: number; customer_id: number; status: string; appointment_time: string }[];
  };
  return (body.data.columns as Column[]).flatMap(({ appointments }) => appointments);
};
