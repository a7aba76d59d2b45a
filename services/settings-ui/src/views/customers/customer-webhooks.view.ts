import { deliveriesAddress } from '../../domain/integrations/delivery-filter.ts';
import { dateIn } from '../../domain/shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { timeIn } from '../shared/times.ts';
import type { CustomerPage } from './customer-page.ts';

interface SentEvent {
  event: string;
  what: string;
  at: string;
}

/**
 * Where the delivery log has what was sent about the customer. The log knows the event and the day, not the customer: no index leads from a
 * record to its events.
 */
export const webhooksCard = (page: CustomerPage): Html =>
  html`<section class="card" aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks</h2>
<p>The events that were sent to your endpoints about this customer. Each link opens the delivery log at the event and the day.</p>
<ul class="sent-events">${sentEvents(page).map(({ event, what, at }) => {
    const day = dateIn(page.region.zone, at);
    return html`<li><a href="${deliveriesAddress({ event, from: day, to: day })}"><code>${event}</code></a><span class="hint">${what} ${timeIn(page.region, at)}</span></li>`;
  })}</ul></section>`;

function sentEvents({ customer, coming, past, calls }: CustomerPage): SentEvent[] {
  const [call] = calls?.rows ?? [];
  const booked = [...(coming?.rows ?? []), ...(past?.rows ?? [])].toSorted((a, b) => a.id - b.id).at(-1);
  const sent: (SentEvent | false | undefined)[] = [
    { event: 'customer.created', what: 'Added', at: customer.created_at },
    customer.updated_at !== customer.created_at && {
      ...{ event: 'customer.updated', what: 'Last changed', at: customer.updated_at },
    },
    booked && { event: 'appointment.created', what: 'Latest booking', at: booked.created_at },
    call && { event: 'call.ended', what: 'Latest call', at: call.ended_at },
  ];
  return sent.filter((one) => typeof one === 'object');
}
