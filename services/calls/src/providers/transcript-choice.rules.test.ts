import type { Utterance } from '@frontdesk/contracts';
import { MAX_TRANSCRIPT_BYTES } from '@frontdesk/contracts';
import fc from 'fast-check';
import { fixturePaths, providerOf, readFixture } from '../../fixtures/index.ts';
import type { CallPatch } from './call-provider.rules.ts';
import { PROVIDERS } from './providers.rules.ts';
import { isBetter, type StatedTranscript, statedTranscript } from './transcript-choice.rules.ts';

const said = (text: string, start: number | null = null, end = start): Utterance => ({
  role: 'customer',
  text,
  start,
  end,
});
const stated = (transcript: Utterance[], stage: CallPatch['stage'] = 'ended') =>
  statedTranscript({ stage, facts: { transcript }, isFinal: false });

/** What stays of transcripts that come in this order. */
const kept = (transcripts: readonly (StatedTranscript | null)[]) =>
  transcripts.reduce<StatedTranscript | null>(
    (stored, one) => (one && (!stored || isBetter(one.rank, stored.rank)) ? one : stored),
    null,
  );

const timed = [said('Hello, this is Anna.', 0, 1.5), said('I would like to book.', 2, 4)];
const untimed = timed.map(({ text }) => said(text));

describe('what was said in a call', () => {
  it.each([
    ['times over none', timed, untimed],
    ['times over a few more characters', timed, untimed.map(({ text }) => said(`${text}.`))],
    ['some times over none', [timed[0] as Utterance, untimed[1] as Utterance], untimed],
    ['much more text over times', [...untimed, said('And a beard trim as well, please.')], timed],
    ['text over none', untimed, []],
  ])('prefers %s, at whatever stage', (_what, better, poorer) => {
    for (const [one, other] of [
      [stated(better), stated(poorer, 'analysed')],
      [stated(better, 'analysed'), stated(poorer)],
    ])
      for (const order of [
        [one, other],
        [other, one],
      ])
        expect(kept(order as StatedTranscript[])?.json).toBe(JSON.stringify(better));
  });

  it('is the same whatever the order and repetition of messages', () => {
    const samples = fixturePaths()
      .map((path) => PROVIDERS[providerOf(path)].parse(readFixture(path)))
      .flatMap((parsed) => (parsed.kind === 'call' ? statedTranscript(parsed.patch) : []));
    const utterance = fc.record({
      role: fc.constantFrom('agent' as const, 'customer' as const),
      text: fc.string({ minLength: 1, maxLength: 4 }),
      start: fc.option(fc.constantFrom(0, 1)),
      end: fc.option(fc.constantFrom(1, 2)),
    });
    const stage = fc.constantFrom('ended' as const, 'analysed' as const);
    const any = fc
      .tuple(fc.array(utterance, { maxLength: 3 }), stage)
      .map(([transcript, at]) => stated(transcript, at));
    const transcripts = fc.array(fc.oneof(any, fc.constantFrom(...samples)), { maxLength: 6 });
    const shuffled = transcripts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
    );
    fc.assert(fc.property(shuffled, ([all, again]) => expect(kept(again)).toEqual(kept(all))));
  });

  it('is cut to what is kept of it, and marked', () => {
    const long = stated([said('é'.repeat(MAX_TRANSCRIPT_BYTES / 2))]);
    expect(Buffer.byteLength(long?.json ?? '')).toBeLessThanOrEqual(MAX_TRANSCRIPT_BYTES);
    expect([long?.isTruncated, stated(timed)?.isTruncated]).toEqual([true, false]);
  });

  it('has the customer’s sentiment', () => {
    const angry = 'This is terrible, I am very angry with you and I hate the way that you treated me.';
    expect([stated([said(angry)])?.sentiment, stated(timed)?.sentiment]).toEqual(['negative', null]);
  });
});
