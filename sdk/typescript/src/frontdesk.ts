import { Appointments } from './resources/appointments.ts';
import { Calls } from './resources/calls.ts';
import { Customers } from './resources/customers.ts';
import { Events } from './resources/events.ts';
import { Holds } from './resources/holds.ts';
import { Business, Services, Staff } from './resources/staff-and-services.ts';
import { Webhooks } from './resources/webhooks.ts';
import { createSend } from './transport/send.ts';
import { type FrontdeskOptions, settingsOf } from './transport/settings.ts';

/** API v1 of one business. */
export class Frontdesk {
  readonly appointments: Appointments;
  readonly holds: Holds;
  readonly customers: Customers;
  readonly calls: Calls;
  readonly staff: Staff;
  readonly services: Services;
  readonly business: Business;
  readonly events: Events;
  readonly webhooks: Webhooks;

  /** @throws FrontdeskError on options that can't work */
  constructor(options: FrontdeskOptions) {
    const send = createSend(settingsOf(options));
    this.appointments = new Appointments(send);
    this.holds = new Holds(send);
    this.customers = new Customers(send);
    this.calls = new Calls(send);
    this.staff = new Staff(send);
    this.services = new Services(send);
    this.business = new Business(send);
    this.events = new Events(send);
    this.webhooks = new Webhooks(send);
  }
}
