import { replayForm, windowOf } from './replay-window.rules.ts';

const berlin = (fields: object) => windowOf(replayForm.parse({ timezone: 'Europe/Berlin', ...fields }));
const instants = (fields: object) => {
  const { replay } = berlin(fields);
  return [replay?.from?.toISOString(), replay?.to?.toISOString()];
};

it('takes wall times on the zone’s clocks, and instants as they are', () => {
  expect(instants({ from: '2026-06-01T09:00', to: '2026-06-01T10:30:15' })).toEqual([
    '2026-06-01T07:00:00.000Z',
    '2026-06-01T08:30:15.000Z',
  ]);
  expect(instants({ from: '2026-06-01T09:00:00Z', to: '2026-06-01T09:00:00-05:00' })).toEqual([
    '2026-06-01T09:00:00.000Z',
    '2026-06-01T14:00:00.000Z',
  ]);
});

it('covers both passes of an hour that comes twice, and goes on behind one that is skipped', () => {
  expect(instants({ from: '2026-10-25T02:30', to: '2026-10-25T02:30' })).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ]);
  expect(instants({ from: '2026-03-29T02:30', to: '2026-03-29T03:30' })).toEqual([undefined, undefined]);
  expect(instants({ from: '2026-03-29T01:30', to: '2026-03-29T02:30' })).toEqual([
    '2026-03-29T00:30:00.000Z',
    '2026-03-29T01:30:00.000Z',
  ]);
});

it('names the field that is wrong', () => {
  expect(berlin({}).errors).toEqual({ from: [expect.any(String)], to: [expect.any(String)] });
  expect(berlin({ from: '2026-02-30T09:00', to: '2026-03-01T09:00' }).errors).toEqual({
    from: [expect.any(String)],
  });
  expect(berlin({ from: '2026-03-02T09:00', to: '2026-03-01T09:00' }).errors).toEqual({
    to: ['The end must be after the start.'],
  });
});

it('asks for no time where all that failed is meant', () => {
  expect(berlin({ kind: 'failed', from: '2026-03-02T09:00' }).replay).toEqual({
    kind: 'failed',
    from: null,
    to: null,
    include_delivered: false,
  });
});
