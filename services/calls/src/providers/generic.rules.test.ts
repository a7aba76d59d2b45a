import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GenericCall, genericCall, genericCallJsonSchema } from '@frontdesk/contracts';
import { asMessage, changedFixture, readFixture } from '../../fixtures/index.ts';
import { UnreadableMessage } from './call-provider.rules.ts';
import { generic } from './generic.rules.ts';

const changed = (change: (call: GenericCall & Record<string, unknown>) => void) =>
  generic.parse(changedFixture('generic/booked.json', change));

describe('a generic message', () => {
  it('is read whole, and is all there will be', () => {
    expect(generic.parse(readFixture('generic/booked.json'))).toMatchObject({
      kind: 'call',
      providerCallId: 'pbx-2026-03-02-000417',
      patch: {
        stage: 'ended',
        isFinal: true,
        facts: {
          direction: 'inbound',
          fromNumber: '+12125550123',
          toNumber: '+12125550100',
          startedAt: new Date('2026-03-02T14:14:05Z'),
          endedAt: new Date('2026-03-02T14:16:41Z'),
          outcome: 'booked',
          sentiment: 'positive',
          qualityScore: 92,
          summary: 'The caller booked a haircut for Friday at ten.',
          recordingUrl: 'https://recordings.example.com/pbx-2026-03-02-000417.mp3',
        },
      },
    });
  });

  it.each(['provider_call_id', 'direction', 'started_at', 'ended_at'] as const)(
    'can’t be read without %s',
    (field) => {
      for (const value of [undefined, null, '', 7, 'yesterday', '2026-02-30T10:00:00Z', ['x']]) {
        const act = () => changed((call) => Object.assign(call, { [field]: value }));
        if (field === 'provider_call_id' && typeof value === 'string' && value) expect(act).not.toThrow();
        else expect(act).toThrow(UnreadableMessage);
      }
    },
  );

  it('names the fields that it lacks, and not the content of any', () => {
    const act = () => changed((call) => Object.assign(call, { direction: '+12125550123', ended_at: 'Ada' }));
    expect(act).toThrow(
      /^direction must be inbound or outbound\. ended_at must be a time of RFC 3339 in the years 2000 to 2099\.$/,
    );
    const lacking = () =>
      changed((call) => Object.assign(call, { provider_call_id: null, ended_at: undefined }));
    expect(lacking).toThrow(/^provider_call_id is missing\. ended_at is missing\.$/);
  });

  it('can’t end before it starts', () => {
    expect(() => changed((call) => Object.assign(call, { ended_at: '2026-03-02T14:14:04Z' }))).toThrow(
      'ended_at is before started_at.',
    );
  });

  it.each([
    ['outcome', 'sold'],
    ['sentiment', 'happy'],
    ['quality_score', 101],
    ['quality_score', '92'],
    ['recording_url', 'javascript:alert(1)'],
    ['appointment_id', 1.5],
    ['from_number', 12125550123],
    ['summary', { text: 'x' }],
  ])('is read without %s where that is %j', (field, value) => {
    const parsed = changed((call) => Object.assign(call, { [field]: value }));
    const name = field.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
    expect(parsed).toMatchObject({ kind: 'call' });
    expect(parsed).not.toHaveProperty(`patch.facts.${name}`);
  });

  it('leaves out the utterances that make no sense, and what PostgreSQL can’t hold', () => {
    const parsed = changed((call) =>
      Object.assign(call, {
        transcript: [
          { role: 'agent', text: 'Hel\0lo', start: -1, end: Number.MAX_VALUE },
          { role: 'robot', text: 'no' },
          { role: 'customer', text: '  ' },
          { role: 'customer' },
          'text',
          null,
          [[[]]],
        ],
      }),
    );
    expect(parsed).toMatchObject({
      patch: { facts: { transcript: [{ role: 'agent', text: 'Hello', start: null, end: null }] } },
    });
  });

  it.each(['', '{', '[]', 'null', '"text"', '{"provider_call_id":'])('can’t be read from %j', (body) => {
    expect(() => generic.parse(asMessage(body))).toThrow(UnreadableMessage);
  });

  it('is read to the last field wherever its schema takes it', () => {
    const call: Required<GenericCall> = {
      ...genericCall.required().parse(JSON.parse(readFixture('generic/booked.json').body.toString())),
      appointment_id: 17,
    };
    const { patch } = generic.parse(asMessage(JSON.stringify(call))) as { patch: { facts: object } };
    // Every field but the id is a fact.
    expect(Object.keys(patch.facts)).toHaveLength(Object.keys(call).length - 1);
  });

  it('is shown to integrators as it is', () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../../../libs/reference/guides/calls.md'),
      'utf8',
    );
    const shown = /```json schema\n([\s\S]*?)```/.exec(page)?.[1] ?? '{}';
    expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(genericCallJsonSchema())));
  });
});

describe('the description of the generic message', () => {
  const { properties = {}, required = [] } = genericCallJsonSchema();
  const fields = Object.keys(properties) as (keyof typeof genericCall.shape)[];
  const nameOf = (field: string) => field.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
  const factOf = (field: string, value: unknown) => {
    const parsed = changed((call) => Object.assign(call, { [field]: value }));
    if (parsed.kind !== 'call') throw new Error('It is about no call.');
    return field === 'provider_call_id'
      ? parsed.providerCallId
      : parsed.patch.facts[nameOf(field) as keyof typeof parsed.patch.facts];
  };

  const VALUES: unknown[] = [
    ...['', ' ', 'x', '17', 'x'.repeat(255), 'x'.repeat(256), '\0', 'INBOUND', 'inbound', 'outbound', 'both'],
    ...[
      'booked',
      'no_answer',
      'sold',
      'positive',
      'mixed',
      '+4930901820',
      'sip:a@b',
      'https://a.example/r',
      'ftp://a/r',
    ],
    ...[
      `https://a.example/${'x'.repeat(2_030)}`,
      `https://a.example/${'x'.repeat(2_031)}`,
      'x'.repeat(20_000),
    ],
    ...[
      '2026-03-02T14:15:00Z',
      '2026-03-02T16:15:00.123456789+02:00',
      '2026-03-02T14:15:00',
      '2026-03-02',
      'yesterday',
    ],
    ...['1999-12-31T23:59:59Z', '2100-01-01T00:00:00Z', '2026-02-30T10:00:00Z'],
    ...[
      true,
      false,
      0,
      -1,
      1,
      1.5,
      17,
      100,
      101,
      1e300,
      2 ** 53,
      2 ** 53 - 1,
      [],
      {},
      ['x'],
      { x: 1 },
      [null],
    ],
    ...[
      [{ role: 'agent', text: 'Hi', start: 0, end: 604_800 }],
      [{ role: 'robot', text: 'Hi' }],
      [{ role: 'agent' }],
    ],
  ];
  /** Read though it is not described: for senders that mean well. */
  const LENIENT: Partial<Record<string, unknown[]>> = { direction: ['INBOUND'] };
  const isBlank = (value: unknown) =>
    value === null || (typeof value === 'string' && value.replaceAll('\0', '').trim() === '');

  it.each(fields)('%s is taken exactly as it is described', (field) => {
    const isRequired = required.includes(field);
    for (const value of [...VALUES, null, undefined]) {
      // One end of the call in 2026, so that the other may be.
      const isDescribed = genericCall.shape[field].safeParse(value).success;
      const isLenient = LENIENT[field]?.includes(value) ?? false;
      const act = () => factOf(field, value);
      const ordered = field.endsWith('_at') && isDescribed;
      if (ordered) {
        const both = { started_at: value, ended_at: value };
        expect(() => changed((call) => Object.assign(call, both))).not.toThrow();
      } else if (isDescribed || isLenient) {
        const fact = act();
        if (!isBlank(value ?? null) && !(Array.isArray(value) && value.length === 0))
          expect([field, value, fact]).not.toContain(undefined);
      } else if (isRequired) {
        expect(act).toThrow(UnreadableMessage);
        expect(act).toThrow(new RegExp(`\\b${field} (is missing|must be)`));
      } else expect([field, value, act()]).toEqual([field, value, undefined]);
    }
  });

  it('says which fields a message needs: from_number and to_number are not among them', () => {
    expect(required).toEqual(['provider_call_id', 'direction', 'started_at', 'ended_at']);
    const parsed = changed((call) => {
      for (const field of fields) if (!required.includes(field)) delete call[field];
    });
    expect(parsed).toMatchObject({ kind: 'call', patch: { facts: { direction: 'inbound' } } });
  });
});
