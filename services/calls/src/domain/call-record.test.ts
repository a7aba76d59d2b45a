import type { CallFacts } from './call-provider.ts';
import { toCallRecord } from './call-record.ts';

const receivedAt = new Date('2026-03-02T20:00:00Z');
const at = (time: string) => new Date(`2026-03-02T${time}Z`);
const record = (facts: CallFacts) => toCallRecord(facts, { receivedAt, classifiesSentiment: true });

describe('toCallRecord', () => {
  it.each([
    ['both ends', { startedAt: at('10:00:00'), endedAt: at('10:01:30.900') }, '10:00:00', '10:01:30.900', 90],
    [
      'a start and a duration',
      { startedAt: at('10:00:00'), durationSeconds: 30 },
      '10:00:00',
      '10:00:30',
      30,
    ],
    ['an end and a duration', { endedAt: at('10:00:30'), durationSeconds: 30 }, '10:00:00', '10:00:30', 30],
    ['a duration alone', { durationSeconds: 60 }, '19:59:00', '20:00:00', 60],
    ['nothing', {}, '20:00:00', '20:00:00', 0],
    [
      'an end before the start',
      { startedAt: at('11:00:00'), endedAt: at('10:00:00') },
      '10:00:00',
      '10:00:00',
      0,
    ],
    [
      'a duration of its own',
      { startedAt: at('10:00:00'), endedAt: at('10:01:00'), durationSeconds: 40 },
      '10:00:00',
      '10:01:00',
      40,
    ],
  ])('works out the times from %s', (_what, facts, startedAt, endedAt, durationSeconds) => {
    expect(record(facts)).toMatchObject({ startedAt: at(startedAt), endedAt: at(endedAt), durationSeconds });
  });

  it.each([
    [0, true, 'no_answer'],
    [14, true, 'other'],
    [15, false, 'other'],
  ])('takes a call of %i s for missed: %s, and %s', (durationSeconds, isMissed, outcome) => {
    expect(record({ durationSeconds })).toMatchObject({ isMissed, outcome });
  });

  it('keeps a stated outcome', () => {
    expect(record({ durationSeconds: 0, outcome: 'failed' }).outcome).toBe('failed');
  });

  describe('the sentiment', () => {
    const text = 'This is terrible, I am very angry with you and I hate the way that you treated me.';
    const transcript: CallFacts['transcript'] = [{ role: 'customer', text, start: null, end: null }];

    it('is the provider’s where there is one', () => {
      const expected = { sentiment: 'neutral', sentimentSource: 'provider' };
      expect(record({ sentiment: 'neutral', transcript })).toMatchObject(expected);
    });

    it('is worked out from the customer’s words otherwise', () => {
      const expected = { sentiment: 'negative', sentimentSource: 'lexicon' };
      expect(record({ transcript })).toMatchObject(expected);
    });

    it('is none where the source doesn’t want that, or nobody spoke', () => {
      const none = { sentiment: null, sentimentSource: null };
      expect(toCallRecord({ transcript }, { receivedAt, classifiesSentiment: false })).toMatchObject(none);
      expect(record({})).toMatchObject(none);
    });
  });

  it('marks a transcript that was cut', () => {
    const long = { role: 'agent' as const, text: 'é'.repeat(2 ** 20), start: null, end: null };
    expect(record({ transcript: [long] }).transcriptTruncated).toBe(true);
    expect(record({ transcript: [{ ...long, text: 'short' }] }).transcriptTruncated).toBe(false);
  });
});
