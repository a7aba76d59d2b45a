import {
  errorsOfFaults,
  type FieldFaults,
  faultsOfErrors,
  internalFailure,
  reasonsOfFaults,
} from './field-faults.ts';

const FAULTS: FieldFaults = {
  name: [{ text: 'The name field is required.', reason: 'required' }, 'The name field is odd.'],
  // By entries: an object literal would set the prototype.
  ...Object.fromEntries([['__proto__', ['The __proto__ parameter is unknown.']]]),
};
const ERRORS = {
  name: ['The name field is required.', 'The name field is odd.'],
  ...Object.fromEntries([['__proto__', ['The __proto__ parameter is unknown.']]]),
};

it('faults are answered as sentences with their reasons beside them, and read back as they were', () => {
  expect(errorsOfFaults(FAULTS)).toEqual(ERRORS);
  const answered = JSON.parse(JSON.stringify({ reasons: reasonsOfFaults(FAULTS) })) as unknown;
  expect(faultsOfErrors(ERRORS, internalFailure.parse(answered).reasons)).toEqual(FAULTS);
});

it('without any reason nothing is answered beside the sentences', () => {
  expect(reasonsOfFaults({ email: ['This address already has access.'] })).toBeUndefined();
});

it.each([
  ['an earlier release, which names none', {}],
  ['a later one, whose reason is unknown here', { reasons: { name: [{ reason: 'of_later' }, null] } }],
  ['reasons without the parameters of theirs', { reasons: { name: [{ reason: 'too_long' }] } }],
  ['reasons in another form', { reasons: ['required'] }],
  ['fewer reasons than sentences', { reasons: { name: [] } }],
])('of %s the sentences stay as they are', (_what, answered) => {
  expect(faultsOfErrors(ERRORS, internalFailure.parse(answered).reasons)).toEqual(ERRORS);
});

it('a reason of a later release that was stored is left out of an answer', () => {
  const stored = { phone: [{ text: 'The phone is odd.', reason: 'of_later' }] } as unknown as FieldFaults;
  expect(reasonsOfFaults(stored)).toEqual({ phone: [null] });
  expect(errorsOfFaults(stored)).toEqual({ phone: ['The phone is odd.'] });
});
