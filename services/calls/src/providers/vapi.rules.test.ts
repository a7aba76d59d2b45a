import { changedFixture, readFixture } from '../../fixtures/index.ts';
import { UnreadableMessage } from './call-provider.rules.ts';
import { vapi } from './vapi.rules.ts';

type Report = { message: Record<string, unknown> };

const changed = (path: string, change: (report: Record<string, unknown>) => void) =>
  vapi.parse(changedFixture<Report>(`vapi/${path}.json`, ({ message }) => change(message)));

describe('an end-of-call report of Vapi', () => {
  it('is read whole: the agent’s instructions and tool calls are no part of the transcript', () => {
    expect(vapi.parse(readFixture('vapi/booked.json'))).toEqual({
      kind: 'call',
      providerCallId: '019cb0f2-6e5c-7001-8f3b-5d0a9a4be8a1',
      patch: {
        stage: 'ended',
        isFinal: true,
        facts: {
          direction: 'inbound',
          fromNumber: '+14155550132',
          toNumber: '+14155550100',
          startedAt: new Date('2026-03-02T14:02:16.300Z'),
          endedAt: new Date('2026-03-02T14:04:38.912Z'),
          durationSeconds: 142,
          outcome: 'booked',
          qualityScore: 88,
          summary: 'The caller asked for a dental check-up and was booked for Thursday at 3 pm.',
          recordingUrl: 'https://storage.vapi.ai/019cb0f2-6e5c-7001-8f3b-5d0a9a4be8a1-1772460281123-mono.wav',
          transcript: [
            { role: 'agent', text: 'Riverside Dental, how can I help you today?', start: 1.12, end: 3.81 },
            {
              role: 'customer',
              text: 'Hi, I am due for a check-up and would love to come in on Thursday.',
              start: 5,
              end: 9.38,
            },
            {
              role: 'agent',
              text: 'Thursday at three in the afternoon is free. Shall I book it?',
              start: 11.3,
              end: 14.7,
            },
            {
              role: 'customer',
              text: 'Perfect, that is great. Thank you very much.',
              start: 15.9,
              end: 18.6,
            },
          ],
        },
      },
    });
  });

  it('of a call that nobody answered lasted 0 s, however long it rang; the customer is the one called', () => {
    expect(vapi.parse(readFixture('vapi/no-answer.json'))).toMatchObject({
      patch: {
        facts: {
          direction: 'outbound',
          fromNumber: '+14155550100',
          toNumber: '+14155550171',
          durationSeconds: 0,
          outcome: 'no_answer',
        },
      },
    });
  });

  it('may have its transcript as text alone, and its rating on a scale up to 10', () => {
    expect(vapi.parse(readFixture('vapi/transferred.json'))).toMatchObject({
      patch: {
        facts: {
          outcome: 'transferred',
          qualityScore: 90,
          transcript: [
            { role: 'agent', text: 'Riverside Dental, how can I help you?' },
            {
              role: 'customer',
              text: 'I have a toothache and it is getting worse.\nCan I talk to somebody?',
              start: null,
              end: null,
            },
            { role: 'agent', text: "I'll put you through." },
          ],
        },
      },
    });
  });

  it.each([
    ['voicemail', 'voicemail'],
    ['customer-busy', 'no_answer'],
    ['pipeline-error-openai-llm-failed', 'failed'],
    ['call.in-progress.error-providerfault-outbound-sip-480-temporarily-unavailable', 'no_answer'],
    ['call.in-progress.error-providerfault-outbound-sip-486-busy-here', 'no_answer'],
    ['call.in-progress.error-providerfault-outbound-sip-603-decline', 'no_answer'],
    ['call.in-progress.error-providerfault-outbound-sip-403-forbidden', 'failed'],
    ['assistant-error', 'failed'],
    ['unknown-error', 'failed'],
    ['db-error', 'failed'],
    ['database-error', 'failed'],
    ['no-server-available', 'failed'],
    ['license-check-failed', 'failed'],
    ['server-shutdown', 'failed'],
    ['assistant-ended-call', undefined],
    ['silence-timed-out', undefined],
    ['constructor', undefined],
    ['a-reason-of-tomorrow', undefined],
  ])('that ended for %s has the outcome %s', (endedReason, outcome) => {
    const parsed = changed('booked', (report) => Object.assign(report, { endedReason, analysis: {} }));
    expect(parsed).toHaveProperty('patch.facts.fromNumber');
    expect(parsed.kind === 'call' && parsed.patch.facts.outcome).toBe(outcome);
  });

  it.each([
    ['structured data', { analysis: { structuredData: { sentiment: 'Negative', appointment_id: 12 } } }],
    [
      'structured outputs',
      {
        artifact: {
          structuredOutputs: {
            a1: { name: 'call', result: { sentiment: 'negative' } },
            a2: { name: 'appointment_id', result: 12 },
          },
        },
      },
    ],
  ])('may say what we want to know in its %s', (_where, part) => {
    expect(changed('booked', (report) => Object.assign(report, part))).toMatchObject({
      patch: { facts: { sentiment: 'negative', appointmentId: 12 } },
    });
  });

  it.each(['vapi.newKind', undefined])(
    'of a call of the kind %s can’t be read: it may have gone either way',
    (type) => {
      const read = () => changed('booked', (report) => Object.assign(report, { call: { id: 'v1', type } }));
      expect(read).toThrow(UnreadableMessage);
    },
  );

  it('is known by its call: without an id it can’t be read', () => {
    expect(() => changed('booked', (report) => Object.assign(report, { call: {} }))).toThrow(
      UnreadableMessage,
    );
  });
});

it('messages of Vapi that are about no ended call are ignored by name', () => {
  expect(vapi.parse(readFixture('vapi/status-update.json'))).toEqual({
    kind: 'ignored',
    reason: 'Not about a call that ended: status-update.',
  });
});
