import { MAX_TRANSCRIPT_BYTES, type Utterance } from '@frontdesk/contracts';
import { cutText } from './reading.rules.ts';

/** What of a transcript fits, as JSON, into `maxBytes`: whole utterances, and the beginning of the one that no longer fits. */
export function limitTranscript(
  transcript: readonly Utterance[],
  maxBytes = MAX_TRANSCRIPT_BYTES,
): { transcript: Utterance[]; isTruncated: boolean } {
  const kept: Utterance[] = [];
  // The brackets; each utterance counts its comma as well, one more than there are.
  let bytes = 1;
  for (const utterance of transcript) {
    const size = jsonBytes(utterance) + 1;
    if (bytes + size > maxBytes) {
      const part = beginningOf(utterance, maxBytes - bytes - 1);
      return { transcript: part ? [...kept, part] : kept, isTruncated: true };
    }
    kept.push(utterance);
    bytes += size;
  }
  return { transcript: kept, isTruncated: false };
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The longest beginning that takes at most `maxBytes`; null where not even one character fits. */
function beginningOf(utterance: Utterance, maxBytes: number): Utterance | null {
  const cut = (length: number) => ({ ...utterance, text: cutText(utterance.text, length) });
  let [fits, tooLong] = [0, utterance.text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (jsonBytes(cut(middle)) <= maxBytes) fits = middle;
    else tooLong = middle;
  }
  const part = cut(fits);
  return part.text !== '' && jsonBytes(part) <= maxBytes ? part : null;
}
