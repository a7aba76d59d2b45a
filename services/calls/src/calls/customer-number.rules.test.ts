import { customerNumber } from './customer-number.rules.ts';

const from = (from_number: string | null) =>
  customerNumber({ direction: 'inbound', from_number, to_number: '+12125550100' });

describe('customerNumber', () => {
  it('is the caller’s of an inbound call, the called one’s of an outbound call', () => {
    const call = { from_number: '+12125550123', to_number: '+12125550100' };
    expect(customerNumber({ ...call, direction: 'inbound' })).toBe('+12125550123');
    expect(customerNumber({ ...call, direction: 'outbound' })).toBe('+12125550100');
    expect(customerNumber({ ...call, direction: null })).toBeNull();
  });

  it.each(['(212) 555-0123', '030/23125-123', '0049 30 23125123'])('takes %s as it is', (number) => {
    expect(from(number)).toBe(number);
  });

  it.each([
    null,
    'anonymous',
    'Anonymous',
    'unknown',
    'sip:ada@example.com',
    'sip:+12125550123@example.com',
    'client:ada',
    '+266696687',
    '+7378742833',
    '+',
    '()()()',
  ])('knows nobody by %j', (number) => {
    expect(from(number)).toBeNull();
  });
});
