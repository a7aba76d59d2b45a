import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GenericCall, genericCall, genericCallJsonSchema } from '@frontdesk/contracts';
import { asMessage, changedFixture, readFixture } from '../../../fixtures/index.ts';
import { UnreadableMessage } from '../call-provider.ts';
import { generic } from './generic.ts';

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
    expect(act).toThrow('Missing or unreadable: direction, ended_at.');
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
          { role: 'agent', text: 'Hel\0lo \ud83d', start: -1, end: Number.MAX_VALUE },
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
      patch: { facts: { transcript: [{ role: 'agent', text: 'Hello \ufffd', start: null, end: null }] } },
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
      join(import.meta.dirname, '../../../../../libs/reference/guides/calls.md'),
      'utf8',
    );
    const shown = /```json schema\n([\s\S]*?)```/.exec(page)?.[1] ?? '{}';
    expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(genericCallJsonSchema())));
  });
});
