import { randomUUID } from 'node:crypto';
import { type Segment, segments } from './segments.ts';

const at = '2026-03-02T09:00:00Z';
const tenant = {
  id: 1,
  name: 'Salon',
  plan: 'pro',
  status: 'active',
  timezone: 'Europe/Berlin',
  country: 'DE',
  currency: 'EUR',
  created_at: at,
  updated_at: at,
};

const envelope = (version: number, changes: object = {}) => ({
  event_id: randomUUID(),
  type: 'tenant.updated',
  schema_version: 1,
  tenant_id: 1,
  aggregate_id: 1,
  aggregate_version: version,
  occurred_at: at,
  data: tenant,
  ...changes,
});

/** As they come from Kafka, at the offsets from 0. */
const messagesOf = (values: (object | string | null)[]) =>
  values.map((value, index) => ({
    key: null,
    value: value === null ? null : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    timestamp: '0',
    attributes: 0,
    offset: String(index),
    headers: {},
  }));

/** Versions of its events, or the reason why it is set aside, behind its last offset. */
const shown = (segment: Segment) =>
  segment.kind === 'events'
    ? [segment.lastOffset, segment.events.map(({ event }) => event.aggregate_version)]
    : [segment.lastOffset, segment.reason];

const cut = (values: (object | string | null)[], maxEvents = 10) =>
  [...segments(messagesOf(values), maxEvents)].map(shown);

describe('segments of a batch', () => {
  it('cuts events at the most that are applied at once', () => {
    expect(cut([envelope(1), envelope(2), envelope(3)], 2)).toEqual([
      ['1', [1, 2]],
      ['2', [3]],
    ]);
  });

  it('sets an unreadable message between what comes before and after it', () => {
    expect(cut([envelope(1), 'not json', envelope(3)])).toEqual([
      ['0', [1]],
      ['1', expect.stringContaining('envelope')],
      ['2', [3]],
    ]);
  });

  it('passes over unknown types and tombstones, and counts them as read', () => {
    expect(cut([envelope(1), envelope(2, { type: 'tenant.merged', data: {} }), null])).toEqual([['2', [1]]]);
    expect(cut([null])).toEqual([['0', []]]);
  });

  it('keeps each event with the message that brought it', () => {
    const [segment] = segments(messagesOf([null, envelope(1), null, envelope(2), null]), 10);
    if (segment?.kind !== 'events') throw new Error('no events');
    const offsets = segment.events.map(({ event, message }) => [event.aggregate_version, message.offset]);
    expect(offsets).toEqual([
      [1, '1'],
      [2, '3'],
    ]);
  });

  it('names what is wrong with the data of a known type, without quoting it', () => {
    const [[, reason] = []] = cut([envelope(1, { data: { ...tenant, name: 4711 } })]);
    expect(reason).toContain('data of tenant.updated.name');
    expect(reason).not.toContain('4711');
  });

  it('has none for an empty batch', () => {
    expect(cut([])).toEqual([]);
  });
});
