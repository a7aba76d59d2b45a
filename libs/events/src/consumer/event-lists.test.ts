import type { DomainEvent } from '@frontdesk/contracts';
import { eventsOf, latestPerAggregate } from './event-lists.ts';

const event = (type: string, tenantId: number, id: number, version: number) =>
  ({ type, tenant_id: tenantId, aggregate_id: id, aggregate_version: version }) as DomainEvent;

describe('latestPerAggregate', () => {
  it('keeps the highest version of each record, whatever the order', () => {
    const newest = event('customer.updated', 1, 1, 3);
    const other = event('customer.created', 1, 2, 1);
    const events = [event('customer.created', 1, 1, 1), newest, other, event('customer.updated', 1, 1, 2)];
    expect(latestPerAggregate(events)).toEqual([newest, other]);
  });

  it('does not confuse the same id of another tenant or of another kind of record', () => {
    const events = [
      event('customer.created', 1, 1, 1),
      event('customer.created', 2, 1, 2),
      event('appointment.created', 1, 1, 3),
    ];
    expect(latestPerAggregate(events)).toEqual(events);
  });
});

describe('eventsOf', () => {
  it('keeps the events of one topic, in order', () => {
    const customers = [event('customer.created', 1, 1, 1), event('customer.updated', 1, 1, 2)];
    expect(eventsOf('customers', [event('tenant.created', 1, 1, 1), ...customers])).toEqual(customers);
  });
});
