import type { CallFacts } from '../providers/call-provider.rules.ts';
import { callColumns } from './call-columns.rules.ts';

const endToldAt = new Date('2026-03-02T20:00:00Z');
const at = (time: string) => new Date(`2026-03-02T${time}Z`);
const columns = (facts: CallFacts) => callColumns(facts, { endToldAt, lexiconSentiment: null });

describe('callColumns', () => {
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
  ])('works out the times from %s', (_what, facts, startedAt, endedAt, duration_seconds) => {
    expect(columns(facts)).toMatchObject({
      started_at: at(startedAt),
      ended_at: at(endedAt),
      duration_seconds,
    });
  });

  it.each([
    [0, true, 'no_answer'],
    [14, true, 'other'],
    [15, false, 'other'],
  ])('takes a call of %i s for missed: %s, and %s', (durationSeconds, is_missed, outcome) => {
    expect(columns({ durationSeconds })).toMatchObject({ is_missed, outcome });
  });

  it('keeps a stated outcome', () => {
    expect(columns({ durationSeconds: 0, outcome: 'failed' }).outcome).toBe('failed');
  });

  it.each([
    ['neutral', 'negative', 'neutral', 'provider'],
    [undefined, 'negative', 'negative', 'lexicon'],
    [undefined, null, null, null],
  ] as const)(
    'of the provider’s sentiment %s and the words’ %s takes %s',
    (stated, words, sentiment, sentiment_source) => {
      const facts = stated ? { sentiment: stated } : {};
      expect(callColumns(facts, { endToldAt, lexiconSentiment: words })).toMatchObject({
        sentiment,
        sentiment_source,
      });
    },
  );
});
