import type { Utterance } from '@frontdesk/contracts';
import fc from 'fast-check';
import { limitTranscript } from './transcript-limit.rules.ts';

const spoken = (text: string): Utterance => ({ role: 'customer', text, start: 1.5, end: null });
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('limitTranscript', () => {
  it('keeps what fits to the last byte, and cuts within the utterance that no longer does', () => {
    const transcript = [spoken('one'), spoken('two "quoted"\n'), spoken('three')];
    expect(limitTranscript(transcript, bytes(transcript))).toEqual({ transcript, isTruncated: false });
    const limited = limitTranscript(transcript, bytes(transcript) - 2);
    expect(limited).toEqual({ transcript: [...transcript.slice(0, 2), spoken('thr')], isTruncated: true });
  });

  it('never goes beyond the limit, nor splits a character', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text.map(spoken)), fc.integer({ min: 2, max: 2_000 }), (transcript, maxBytes) => {
        const limited = limitTranscript(transcript, maxBytes);
        expect(bytes(limited.transcript)).toBeLessThanOrEqual(Math.max(2, maxBytes));
        expect(limited.isTruncated).toBe(bytes(transcript) > maxBytes);
        for (const utterance of limited.transcript) expect(utterance.text.isWellFormed()).toBe(true);
      }),
    );
  });
});
