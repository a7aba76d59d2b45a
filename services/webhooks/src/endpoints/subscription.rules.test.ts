import { deliveredName, isCanonical } from './subscription.rules.ts';

describe('deliveredName', () => {
  it('is the event’s own name for an endpoint that subscribed to it', () => {
    expect(deliveredName('appointment.created', ['call.ended', 'appointment.created'])).toBe(
      'appointment.created',
    );
  });

  it.each([
    ['appointment.created', 'appointment.booked'],
    ['call.ended', 'call.completed'],
    ['call.missed', 'missed_call'],
  ] as const)('of %s is %s for an endpoint that subscribed to that alias', (event, alias) => {
    expect(deliveredName(event, [alias])).toBe(alias);
  });

  it('is the canonical name for an endpoint that named both, in whatever order', () => {
    expect(deliveredName('call.missed', ['missed_call', 'call.missed'])).toBe('call.missed');
  });

  it('is null for an endpoint subscribed to other events only', () => {
    expect(deliveredName('customer.created', ['customer.updated', 'appointment.booked'])).toBeNull();
  });
});

describe('isCanonical', () => {
  it('distinguishes events, aliases and what is no webhook event', () => {
    expect(isCanonical('call.missed')).toBe(true);
    expect(isCanonical('missed_call')).toBe(false);
    expect(isCanonical('tenant.updated')).toBe(false);
  });
});
