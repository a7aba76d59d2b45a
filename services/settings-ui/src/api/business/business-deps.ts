import type { AppointmentsClient } from '../../clients/appointments.client.ts';
import type { GatewayClient } from '../../clients/gateway.client.ts';
import type { SchedulingClient } from '../../clients/scheduling.client.ts';
import type { Changes } from '../shared/changes.ts';
import type { Pages } from '../shared/pages.ts';

/** What the routes of `/settings/business` work with. */
export interface BusinessDeps {
  gateway: GatewayClient;
  scheduling: SchedulingClient;
  /** Whose the appointments are that hours don't fit. */
  appointments: AppointmentsClient;
  changes: Changes;
  pages: Pages;
}
