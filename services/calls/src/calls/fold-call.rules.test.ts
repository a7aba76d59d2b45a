import fc from 'fast-check';
import { providerOf, readFixture } from '../../fixtures/index.ts';
import { patchFromJson, patchToJson } from '../providers/call-patch.rules.ts';
import type { CallPatch } from '../providers/call-provider.rules.ts';
import { PROVIDERS } from '../providers/providers.rules.ts';
import { callColumns } from './call-columns.rules.ts';
import { foldCall, mergeProgress } from './fold-call.rules.ts';

function patchOf(path: string): CallPatch {
  const parsed = PROVIDERS[providerOf(path)].parse(readFixture(path));
  if (parsed.kind !== 'call') throw new Error(`${path} is about no call.`);
  return parsed.patch;
}

const at = (time: string) => new Date(`2026-03-02T${time}:00Z`);
const ended = (facts: CallPatch['facts']): CallPatch => ({ stage: 'ended', facts, isFinal: false });
const analysed = (facts: CallPatch['facts']): CallPatch => ({ stage: 'analysed', facts, isFinal: false });

describe('foldCall', () => {
  it('believes the stage that knows more, and takes the rest from the others', () => {
    const patches = [
      analysed({ sentiment: 'positive', outcome: 'booked' }),
      ended({ direction: 'inbound', outcome: 'other', durationSeconds: 61 }),
    ];
    expect(foldCall(patches)).toEqual({
      facts: { direction: 'inbound', durationSeconds: 61, outcome: 'booked', sentiment: 'positive' },
      isComplete: true,
      isSettled: true,
      isLengthKnown: true,
    });
  });

  it('lets nothing empty override', () => {
    const rich = ended({ direction: 'inbound', summary: 'A summary' });
    expect(foldCall([rich, analysed({ summary: ' ' })]).facts).toEqual(rich.facts);
  });

  it.each([
    ['a duration', { durationSeconds: 0 }, true],
    ['both times', { startedAt: at('10:00'), endedAt: at('10:00') }, true],
    ['an end alone', { endedAt: at('10:00') }, false],
    ['that nobody answered', { outcome: 'no_answer' }, true],
    ['that it failed', { outcome: 'failed' }, true],
    ['that a machine answered', { outcome: 'voicemail' }, false],
    ['nothing', {}, false],
  ] as const)('takes the length for known by %s: %s', (_what, facts, isLengthKnown) => {
    expect(foldCall([ended({ direction: 'inbound', ...facts })])).toMatchObject({ isLengthKnown });
  });

  it('keeps the earliest start of a call’s progress, in one patch for any number of messages', () => {
    const progress = (facts: CallPatch['facts']): CallPatch => ({ stage: 'progress', facts, isFinal: false });
    const messages = [
      progress({ startedAt: at('10:00'), fromNumber: '+4930123' }),
      progress({ startedAt: at('10:01'), toNumber: '+4930456' }),
      progress({ startedAt: at('10:02'), recordingUrl: ' ' }),
    ];
    const facts = { startedAt: at('10:00'), fromNumber: '+4930123', toNumber: '+4930456' };
    expect(foldCall(messages).facts).toEqual(facts);
    expect(messages.reduce(mergeProgress)).toEqual(progress(facts));
    expect(messages.toReversed().reduce(mergeProgress)).toEqual(progress(facts));
  });

  it.each([
    ['a call that is going on', [{ ...ended({ direction: 'inbound' }), stage: 'progress' } as CallPatch]],
    ['a call of unknown direction', [ended({ durationSeconds: 20 })]],
    [
      'a call that was analysed, while its length isn’t known yet',
      ['twilio/in-progress.form', 'twilio/intelligence.json'].map(patchOf),
    ],
    ['no message', []],
  ])('takes %s for incomplete', (_what, patches) => {
    expect(foldCall(patches)).toMatchObject({ isComplete: false });
  });

  it('takes a call for complete by the analysis alone where that states its length', () => {
    expect(foldCall([patchOf('retell/call-analyzed.json')])).toMatchObject({ isComplete: true });
  });

  const context = { endToldAt: new Date('2026-03-02T20:00:00Z'), lexiconSentiment: null };
  const sequences = [
    ['retell/call-ended.json', 'retell/call-analyzed.json'],
    [
      'twilio/ringing.form',
      'twilio/in-progress.form',
      'twilio/completed.form',
      'twilio/recording.form',
      'twilio/intelligence.json',
      'twilio/rule-execution.json',
    ],
    ['vapi/booked.json', 'vapi/no-answer.json', 'vapi/transferred.json'],
    ['generic/booked.json', 'generic/complaint.json', 'generic/missed.json', 'generic/hidden-number.json'],
  ].map((paths) => paths.map(patchOf));

  it.each(sequences)('gives one record for every order and repetition of %#', (...patches) => {
    const wanted = callColumns(foldCall(patches).facts, context);
    const shuffled = fc
      .shuffledSubarray([...patches, ...patches, ...patches], { minLength: patches.length * 3 })
      .chain((all) => fc.nat(all.length - 1).map((extra) => [...all, all[extra] as CallPatch]));
    fc.assert(
      fc.property(shuffled, (messages) => {
        // As they come out of the database: the keys of JSON in another order.
        const stored = messages.map((patch) => patchFromJson(withKeysReversed(patchToJson(patch))));
        expect(callColumns(foldCall(stored).facts, context)).toEqual(wanted);
      }),
    );
  });

  it.each(sequences)('never loses a fact by another message: %#', (...patches) => {
    fc.assert(
      fc.property(fc.subarray(patches, { minLength: 1 }), fc.constantFrom(...patches), (some, another) => {
        const before = Object.keys(foldCall(some).facts);
        expect(Object.keys(foldCall([...some, another]).facts)).toEqual(expect.arrayContaining(before));
      }),
    );
  });
});

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, held]) => [name, withKeysReversed(held)]));
}
