import { asMessage } from '../../services/calls/fixtures/index.ts';
import type { ParsedMessage } from '../../services/calls/src/providers/call-provider.rules.ts';
import { PROVIDERS } from '../../services/calls/src/providers/providers.rules.ts';
import { refresh } from './refresh-sample.ts';
import { readSample, type Sample, sampleNames } from './samples.ts';

const parse = ({ provider, body, contentType }: Sample): ParsedMessage =>
  PROVIDERS[provider].parse(asMessage(body, contentType));

const endedAt = new Date('2027-01-15T08:30:00Z');

describe('a refreshed sample', () => {
  it.each(sampleNames())('%s is of a call of its own, and says otherwise the same', (name) => {
    const sample = readSample(name);
    const [before, fresh, again] = [parse(sample), refresh(sample, {}), refresh(sample, {})];
    expect(fresh.callId).not.toBe(again.callId);
    expect(fresh.body).not.toContain(sample.callId);
    const after = parse(fresh);
    expect(after.kind).toBe(before.kind);
    if (after.kind !== 'call' || before.kind !== 'call') return;
    expect(after.providerCallId).toBe(fresh.callId);
    const { recordingUrl: _before, ...others } = before.patch.facts;
    expect(after.patch.facts).toMatchObject(others);
  });

  it.each(sampleNames())('%s lasts as long as before, and ends when it is told to', (name) => {
    const sample = readSample(name);
    const [before, after] = [parse(sample), parse(refresh(sample, { endedAt }))];
    if (after.kind !== 'call' || before.kind !== 'call') return;
    const [old, moved] = [before.patch.facts, after.patch.facts];
    expect(moved.durationSeconds).toBe(old.durationSeconds);
    if (!old.endedAt || !moved.endedAt) return;
    expect(Math.abs(moved.endedAt.getTime() - endedAt.getTime())).toBeLessThan(10 * 60_000);
    if (old.startedAt && moved.startedAt)
      expect(moved.endedAt.getTime() - moved.startedAt.getTime()).toBe(
        old.endedAt.getTime() - old.startedAt.getTime(),
      );
  });

  it('takes the id that it is given, for a second message about the same call', () => {
    const [ended, analysed] = ['retell/call-ended', 'retell/call-analyzed'].map((name) =>
      parse(refresh(readSample(name), { callId: 'call_mine' })),
    );
    for (const parsed of [ended, analysed]) expect(parsed).toMatchObject({ providerCallId: 'call_mine' });
  });
});
