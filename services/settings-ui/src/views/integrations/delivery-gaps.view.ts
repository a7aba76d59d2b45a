import type { DeliveryGap } from '@frontdesk/contracts';
import type { Region } from '../../domain/shared/region.ts';
import { type Html, html } from '../shared/html.ts';
import { timeIn } from '../shared/times.ts';

const NAMES = { customers: 'Customers', appointments: 'Appointments', calls: 'Calls' };

/** What the log lacks, and how to catch up: nothing can be resent that never came in. */
export function deliveryGapsNotice(gaps: DeliveryGap[] | null, region: Region): Html | false {
  if (gaps === null || gaps.length === 0) return false;
  return html`<div class="notice waiting" role="note" aria-label="Missing events"><p><strong>Events may be missing from this log.</strong>
Some from these times were lost before they could be sent to your endpoints, and can’t be resent. To catch up, fetch what has changed since:</p>
<ul>${gaps.map((gap) => html`<li>${NAMES[gap.records]}, ${time(gap, region)}: <code>${request(gap)}</code></li>`)}</ul></div>`;
}

const time = ({ since, until }: DeliveryGap, region: Region): Html =>
  since === null
    ? html`until ${timeIn(region, until)}`
    : html`${timeIn(region, since)} to ${timeIn(region, until)}`;

function request({ records, since }: DeliveryGap): string {
  if (since === null) return `GET /api/v1/${records}`;
  const second = Temporal.Instant.from(since).toString({ smallestUnit: 'second' });
  return `GET /api/v1/${records}?updated_since=${second}`;
}
