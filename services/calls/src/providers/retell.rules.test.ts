import { changedFixture, readFixture } from '../../fixtures/index.ts';
import { UnreadableMessage } from './call-provider.rules.ts';
import { retell } from './retell.rules.ts';

type Message = { call: Record<string, unknown> };

const changed = (path: string, change: (call: Record<string, unknown>) => void) =>
  retell.parse(changedFixture<Message>(`retell/${path}.json`, ({ call }) => change(call)));

describe('a message of Retell', () => {
  it('states all but the analysis when the call ended', () => {
    expect(retell.parse(readFixture('retell/call-ended.json'))).toEqual({
      kind: 'call',
      providerCallId: 'call_3f7c9b2d5e8a1c4f6b0d7e9a2c5',
      patch: {
        stage: 'ended',
        isFinal: false,
        facts: {
          direction: 'inbound',
          fromNumber: '+13125550145',
          toNumber: '+13125550100',
          startedAt: new Date('2026-03-02T17:30:00Z'),
          endedAt: new Date('2026-03-02T17:31:31.840Z'),
          durationSeconds: 91,
          recordingUrl: 'https://dxc03zgurdly9.cloudfront.net/call_3f7c9b2d5e8a1c4f6b0d7e9a2c5/recording.wav',
          transcript: [
            { role: 'agent', text: 'Lakeside Salon, how may I help?', start: 0.7, end: 2.34 },
            { role: 'customer', text: 'I want to move my appointment to Monday.', start: 3.02, end: 5.4 },
            { role: 'agent', text: 'Monday at four is free.', start: null, end: null },
            { role: 'customer', text: 'Lovely, that works well for me. Thanks a lot.', start: 9.1, end: 9.6 },
          ],
        },
      },
    });
  });

  it('states sentiment, summary and extracted data once it is analysed', () => {
    expect(retell.parse(readFixture('retell/call-analyzed.json'))).toMatchObject({
      patch: {
        stage: 'analysed',
        isFinal: true,
        facts: {
          durationSeconds: 91,
          sentiment: 'positive',
          outcome: 'rescheduled',
          summary: 'The caller moved her appointment to Monday at four.',
        },
      },
    });
  });

  it('of an unknown sentiment states none', () => {
    const parsed = retell.parse(readFixture('retell/no-answer.json'));
    expect(parsed).toMatchObject({ patch: { facts: { outcome: 'no_answer', durationSeconds: 0 } } });
    expect(parsed).not.toHaveProperty('patch.facts.sentiment');
  });

  it('knows a voicemail by the reason or by the analysis', () => {
    expect(retell.parse(readFixture('retell/voicemail.json'))).toHaveProperty(
      'patch.facts.outcome',
      'voicemail',
    );
    const analysed = changed('voicemail', (call) =>
      Object.assign(call, { disconnection_reason: 'agent_hangup' }),
    );
    expect(analysed).toHaveProperty('patch.facts.outcome', 'voicemail');
  });

  it.each([
    ['call_transfer', 'transferred'],
    ['dial_busy', 'no_answer'],
    ['error_retell', 'failed'],
    ['inactivity', undefined],
    ['constructor', undefined],
    [7, undefined],
  ])('that ended for %s has the outcome %s', (disconnection_reason, outcome) => {
    const parsed = changed('call-ended', (call) => Object.assign(call, { disconnection_reason }));
    expect(parsed.kind === 'call' && parsed.patch.facts.outcome).toBe(outcome);
  });

  it('of a call from the web is of an inbound call without numbers', () => {
    const parsed = changed('call-ended', (call) => {
      Object.assign(call, { call_type: 'web_call' });
      for (const name of ['direction', 'from_number', 'to_number']) delete call[name];
    });
    expect(parsed).toHaveProperty('patch.facts.direction', 'inbound');
    expect(parsed).not.toHaveProperty('patch.facts.fromNumber');
  });

  it.each(['call-ended', 'call-analyzed'])('without a direction can’t be read: %s', (path) => {
    const unknown = { direction: 'sideways', call_type: 'phone_call' };
    expect(() => changed(path, (call) => Object.assign(call, unknown))).toThrow(UnreadableMessage);
  });

  it('may have its transcript as text alone', () => {
    const parsed = changed('call-ended', (call) => Object.assign(call, { transcript_object: [] }));
    expect(parsed).toHaveProperty(
      'patch.facts.transcript.3.text',
      'Lovely, that works well for me. Thanks a lot.',
    );
  });

  it('is ignored by name where it is about no ended call', () => {
    expect(retell.parse(readFixture('retell/call-started.json'))).toEqual({
      kind: 'ignored',
      reason: 'Not about a call that ended: call_started.',
    });
  });

  it('can’t be read without the id of its call', () => {
    expect(() => changed('call-ended', (call) => Object.assign(call, { call_id: '' }))).toThrow(
      UnreadableMessage,
    );
  });
});
