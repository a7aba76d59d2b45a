import { type Holder, holderText, requireFewHolds } from './hold.rules.ts';

const KEY: Holder = { kind: 'key', id: '7' };
const CALL: Holder = { kind: 'call', id: '3/abc' };

it.each<[Holder, number, number, string | null]>([
  [KEY, 49, 19, null],
  [KEY, 50, 0, 'This business has 50 open holds, and may have 50.'],
  [KEY, 20, 20, 'This key has 20 open holds, and may have 20.'],
  [CALL, 49, 4, null],
  [CALL, 5, 5, 'This call has 5 open holds, and may have 5.'],
  [CALL, 50, 5, 'This business has 50 open holds, and may have 50.'],
])('%j beside %i open holds of the business, %i of its own: %s', (holder, ofBusiness, ofHolder, refusal) => {
  const hold = () => requireFewHolds(holder, { ofBusiness, ofHolder });
  if (refusal === null) expect(hold).not.toThrow();
  else expect(hold).toThrow(refusal);
});

it('a key and a call are never the same holder', () => {
  expect([KEY, CALL].map(holderText)).toEqual(['key:7', 'call:3/abc']);
});
