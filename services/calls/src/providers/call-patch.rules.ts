import { callDirection, callOutcome, callSentiment } from '@frontdesk/contracts';
import { z } from 'zod';
import { type CallPatch, STAGES } from './call-provider.rules.ts';

const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

/** A patch as it is stored: JSON, its instants as text, without what was said: of that the call keeps one text. */
const storedPatch = z.object({
  stage: z.enum(STAGES),
  isFinal: z.boolean(),
  facts: z
    .object({
      direction: callDirection,
      fromNumber: z.string(),
      toNumber: z.string(),
      startedAt: instant,
      endedAt: instant,
      durationSeconds: z.int().nonnegative(),
      outcome: callOutcome,
      sentiment: callSentiment,
      qualityScore: z.number(),
      summary: z.string(),
      recordingUrl: z.string(),
      appointmentId: z.int(),
    })
    .partial(),
});

export type StoredPatch = z.input<typeof storedPatch>;

/** For a column of JSON. */
export function patchToJson(patch: CallPatch): StoredPatch {
  return z.encode(storedPatch, patch);
}

/** @throws ZodError when it is no stored patch */
export function patchFromJson(stored: unknown): CallPatch {
  return z.parse(storedPatch, stored) as CallPatch;
}
