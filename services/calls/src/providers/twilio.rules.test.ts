import { asMessage, changedFixture, readFixture } from '../../fixtures/index.ts';
import { UnreadableMessage } from './call-provider.rules.ts';
import { twilio } from './twilio.rules.ts';

const parse = (path: string) => twilio.parse(readFixture(`twilio/${path}`));

const changed = (path: string, fields: Record<string, string | null>) =>
  twilio.parse(
    changedFixture<URLSearchParams>(`twilio/${path}`, (form) => {
      for (const [name, value] of Object.entries(fields)) {
        if (value === null) form.delete(name);
        else form.set(name, value);
      }
    }),
  );

const CALL = 'CA7d1f3b5a9c2e4d6f8a0b1c2d3e4f5a6b';
const parties = { direction: 'inbound', fromNumber: '+16465550119', toNumber: '+16465550100' };

describe('a status callback of Twilio', () => {
  it('states when the call was answered, and how long it lasted once it ended', () => {
    expect(parse('in-progress.form')).toEqual({
      kind: 'call',
      providerCallId: CALL,
      patch: {
        stage: 'progress',
        isFinal: false,
        facts: { ...parties, startedAt: new Date('2026-03-02T18:00:07Z') },
      },
    });
    expect(parse('completed.form')).toEqual({
      kind: 'call',
      providerCallId: CALL,
      patch: {
        stage: 'ended',
        isFinal: false,
        facts: { ...parties, endedAt: new Date('2026-03-02T18:01:25Z'), durationSeconds: 78 },
      },
    });
  });

  it('of a call that is still ringing says nothing of its start or end', () => {
    expect(parse('ringing.form')).toMatchObject({ patch: { stage: 'progress', facts: parties } });
    expect(parse('ringing.form')).not.toHaveProperty('patch.facts.startedAt');
  });

  it.each([
    ['busy', 'no_answer', 0],
    ['no-answer', 'no_answer', 0],
    ['canceled', 'no_answer', 0],
    ['failed', 'failed', 0],
    ['completed', undefined, 78],
  ])('that says %s has the outcome %s and %i s', (CallStatus, outcome, durationSeconds) => {
    const parsed = changed('completed.form', { CallStatus });
    expect(parsed).toMatchObject({ patch: { stage: 'ended', facts: { durationSeconds } } });
    expect(parsed.kind === 'call' && parsed.patch.facts.outcome).toBe(outcome);
  });

  it('of a call that a machine answered is of a voicemail', () => {
    expect(parse('voicemail.form')).toHaveProperty('patch.facts.outcome', 'voicemail');
  });

  it.each(['outbound-api', 'outbound-dial', 'trunking-terminating'])('takes %s for outbound', (Direction) => {
    expect(changed('completed.form', { Direction })).toHaveProperty('patch.facts.direction', 'outbound');
  });

  it.each([
    ['no call', { CallSid: null }],
    ['a status of tomorrow', { CallStatus: 'constructor' }],
    ['no direction, but an end,', { Direction: 'constructor' }],
  ])('that names %s can’t be read', (_what, fields) => {
    expect(() => changed('completed.form', fields)).toThrow(UnreadableMessage);
  });

  it('is read without what makes no sense in it', () => {
    const parsed = changed('completed.form', {
      CallDuration: '-5',
      Timestamp: 'soon',
      From: '\0',
    });
    expect(parsed).toMatchObject({ patch: { stage: 'ended', facts: { toNumber: '+16465550100' } } });
    expect(Object.keys(parsed.kind === 'call' ? parsed.patch.facts : {})).toEqual(['direction', 'toNumber']);
  });
});

describe('what Twilio sends about a call besides', () => {
  it('a recording, which says nothing of the call’s end', () => {
    expect(parse('recording.form')).toMatchObject({
      providerCallId: CALL,
      patch: { stage: 'progress', facts: { recordingUrl: expect.stringContaining('/Recordings/RE4b6d8f') } },
    });
    expect(changed('recording.form', { RecordingStatus: 'absent' })).toMatchObject({ kind: 'ignored' });
  });

  it('the transcription of what a caller recorded', () => {
    expect(parse('transcription.form')).toMatchObject({
      patch: { stage: 'analysed', facts: { transcript: [{ role: 'customer', start: null }] } },
    });
  });

  it('live transcription, which is ignored', () => {
    const parsed = changed('in-progress.form', { TranscriptionEvent: 'transcription-content' });
    expect(parsed).toMatchObject({ kind: 'ignored' });
  });

  it('the results of its intelligence, with the transcript’s sentences', () => {
    expect(parse('intelligence.json')).toEqual({
      kind: 'call',
      providerCallId: CALL,
      patch: {
        stage: 'analysed',
        isFinal: false,
        facts: {
          sentiment: 'neutral',
          summary: 'The caller asked whether the studio is open on Saturdays.',
          outcome: 'inquiry',
          qualityScore: 71,
          transcript: [
            { role: 'agent', text: 'Harbor Studio, good afternoon.', start: 0.51, end: 2.2 },
            { role: 'customer', text: 'Hello, are you open on Saturdays?', start: 2.9, end: 5.14 },
            { role: 'agent', text: 'Yes, from nine until two.', start: 5.6, end: 8 },
          ],
        },
      },
    });
  });

  it('the results of a rule, for the call that they refer to', () => {
    expect(parse('rule-execution.json')).toMatchObject({
      providerCallId: CALL,
      patch: { stage: 'analysed', facts: { sentiment: 'positive' } },
    });
  });

  it('results of no call, which can’t be read', () => {
    const message = changedFixture<Record<string, unknown>>('twilio/intelligence.json', (body) =>
      Object.assign(body, { customer_key: 'Ada Lovelace' }),
    );
    expect(() => twilio.parse(message)).toThrow('set the customer_key of the transcript to the CallSid');
  });

  it('the notice that there is a transcript, which is ignored', () => {
    expect(parse('intelligence-notice.json')).toMatchObject({ kind: 'ignored' });
    expect(() => twilio.parse(asMessage('{'))).toThrow(UnreadableMessage);
  });
});
