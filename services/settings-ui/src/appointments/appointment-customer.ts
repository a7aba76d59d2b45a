import type { AppointmentAdmin } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { customerSummary } from '../customers/customer-summary.view.ts';
import { type CustomerSummary, loadSummary } from '../customers/load-customer.ts';
import { callAddress } from '../records/addresses.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { timeIn } from '../ui/times.view.ts';

/** Whose appointment it is, and in which call it was booked. */
export interface AppointmentCustomer {
  summary: CustomerSummary;
  /** Null where it was booked in none, or calls can't say. */
  call: { id: number; started_at: string } | null;
}

export async function loadAppointmentCustomer(
  clients: Clients,
  tenantId: number,
  { id, customer_id }: AppointmentAdmin,
): Promise<AppointmentCustomer> {
  const [summary, found] = await Promise.all([
    loadSummary(clients, tenantId, customer_id),
    orNull(clients.calls.list(tenantId, { appointment_id: String(id), per_page: '1' })),
  ]);
  return { summary, call: found?.rows[0] ?? null };
}

export const appointmentCustomerCard = (
  { summary, call }: AppointmentCustomer,
  { region, appointment }: { region: Region; appointment: AppointmentAdmin },
): Html =>
  customerSummary({
    summary,
    region,
    besideId: appointment.id,
    more:
      call &&
      html`<dt>Booked in</dt>
<dd><a href="${callAddress(call.id)}">Call of ${timeIn(region, call.started_at)}</a></dd>`,
  });
