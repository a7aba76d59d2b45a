import type { CallProviderName } from '@frontdesk/contracts';
import { type ParsedCall, type RawMessage, UnreadableMessage } from './call-provider.ts';
import { PROVIDERS } from './providers/index.ts';
import { type ToldTranscript, toldTranscript } from './told-transcript.ts';

/** What a message comes to by itself: the call's patch without what was said, and that apart. */
export type ReadMessage =
  | (ParsedCall & { told: ToldTranscript | null })
  | { kind: 'ignored' | 'unreadable'; reason: string };

/** All the work on a message that grows with its size. Pure: what fails here would fail again. */
export function readRawMessage(provider: CallProviderName, message: RawMessage): ReadMessage {
  try {
    const parsed = PROVIDERS[provider].parse(message);
    if (parsed.kind !== 'call') return parsed;
    const { transcript: _told, ...facts } = parsed.patch.facts;
    return { ...parsed, patch: { ...parsed.patch, facts }, told: toldTranscript(parsed.patch) };
  } catch (error) {
    const reason = error instanceof UnreadableMessage ? error.message : `Reading it fails: ${nameOf(error)}.`;
    return { kind: 'unreadable', reason };
  }
}

/** What kind of fault it is, and nothing of what the message holds. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');
