import type { CallProviderName } from '@frontdesk/contracts';
import { type ParsedCall, type RawMessage, UnreadableMessage } from '../providers/call-provider.rules.ts';
import { PROVIDERS } from '../providers/providers.rules.ts';
import { type StatedTranscript, statedTranscript } from '../providers/transcript-choice.rules.ts';

/** A message once it is read: the call's patch, and the transcript apart from it. */
export type ReadMessage =
  | (ParsedCall & { transcript: StatedTranscript | null })
  | { kind: 'ignored' | 'unreadable'; reason: string };

/** Parses a message and classifies its sentiment: all the work that grows with its size. Pure, so a failure would repeat itself. */
export function readRawMessage(provider: CallProviderName, message: RawMessage): ReadMessage {
  try {
    const parsed = PROVIDERS[provider].parse(message);
    if (parsed.kind !== 'call') return parsed;
    const { transcript: _spoken, ...facts } = parsed.patch.facts;
    return { ...parsed, patch: { ...parsed.patch, facts }, transcript: statedTranscript(parsed.patch) };
  } catch (error) {
    const reason =
      error instanceof UnreadableMessage ? error.message : `Processing it fails: ${nameOf(error)}.`;
    return { kind: 'unreadable', reason };
  }
}

/** The kind of fault, without any content of the message. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');
