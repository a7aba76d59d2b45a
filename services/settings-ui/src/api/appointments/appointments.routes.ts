import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../shared/area-deps.ts';
import { appointmentRoutes } from './appointment.routes.ts';
import { bookingRoutes } from './booking.routes.ts';
import { customerSearchRoutes } from './customer-search.routes.ts';
import { moveRoutes } from './move.routes.ts';

/** Booking, and what is done to an appointment. */
export function appointmentsRoutes(app: App, deps: AreaDeps): void {
  bookingRoutes(app, deps);
  appointmentRoutes(app, deps);
  moveRoutes(app, deps);
  customerSearchRoutes(app, deps);
}
