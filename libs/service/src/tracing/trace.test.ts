import { traceIdOf, traceparentOf } from './trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SENT = `00-${ID}-00f067aa0ba902b7-01`;

it.each([SENT, `01-${ID}-00f067aa0ba902b7-01-more`])('%s is kept', (sent) => {
  expect(traceparentOf(sent)).toBe(sent);
  expect(traceIdOf(sent)).toBe(ID);
});

it.each([
  ['nothing', undefined],
  ['two of them', `${SENT}, ${SENT}`],
  ['capitals', SENT.toUpperCase()],
  ['a version that there is not', `ff${SENT.slice(2)}`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a parent of zeros', `00-${ID}-${'0'.repeat(16)}-01`],
  ['one that never ends', `01-${ID}-00f067aa0ba902b7-01-${'x'.repeat(300)}`],
])('for %s a new one is made', (_what, sent) => {
  const made = traceparentOf(sent);
  expect(made).not.toBe(sent);
  expect(traceparentOf(made)).toBe(made);
  expect(traceparentOf(sent)).not.toBe(made);
});
