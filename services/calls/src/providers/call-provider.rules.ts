import type {
  CallDirection,
  CallOutcome,
  CallRefusal,
  CallSentiment,
  CallSourceSettings,
  FieldFault,
  Utterance,
} from '@frontdesk/contracts';

/** A provider's message exactly as it came in. */
export interface RawMessage {
  body: Buffer;
  contentType: string;
  /** The `Content-Encoding` that it came with; empty without one. */
  contentEncoding: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The public URL that it was sent to, query included: some signatures cover it. */
  url: string;
  receivedAt: Date;
}

/** What a message states about a call; other fields are left out. */
export interface CallFacts {
  direction?: CallDirection;
  fromNumber?: string;
  toNumber?: string;
  startedAt?: Date;
  endedAt?: Date;
  durationSeconds?: number;
  outcome?: CallOutcome;
  sentiment?: CallSentiment;
  /** From 0 to 100. */
  qualityScore?: number;
  summary?: string;
  transcript?: Utterance[];
  recordingUrl?: string;
  appointmentId?: number;
}

/** How much a message knows: of two that state the same fact, the one further down this list is believed. */
export const STAGES = ['progress', 'ended', 'analysed'] as const;

export interface CallPatch {
  stage: (typeof STAGES)[number];
  facts: CallFacts;
  /** Whether this message is all there will be; false where more is to come about an ended call, its analysis say. */
  isFinal: boolean;
}

export type ParsedMessage =
  | { kind: 'call'; providerCallId: string; patch: CallPatch }
  /** Understood, but of no call that ended. */
  | { kind: 'ignored'; reason: string };

/** What a message states, and about which call. */
export type ParsedCall = Extract<ParsedMessage, { kind: 'call' }>;

/** What is wrong with a signature; `signature_wrong` where it is another secret's, as far as can be told. */
export type SignatureFault = Extract<CallRefusal, `signature_${string}` | 'body_unsigned'>;

/** An adapter: all that Frontdesk knows of one provider. Pure, so that a stored message can be read again at any time. */
export interface CallProvider {
  /** Whether the message bears a valid, fresh signature by this secret. Compares in constant time; never throws. */
  verify(message: RawMessage, secret: string, settings: CallSourceSettings, now: Date): boolean;
  /** Why `verify` refuses a message, for those who set the source up: its sender is never told. */
  faultOf(message: RawMessage, settings: CallSourceSettings, now: Date): SignatureFault;
  /** @throws UnreadableMessage also where a call ended in an unknown direction: nobody would ever see it */
  parse(message: RawMessage): ParsedMessage;
  /** A new secret in the form that the provider wants; null where the provider dictates it. */
  createSecret(): string | null;
  /** What is wrong with a secret that somebody wants to set; null for one that protects. Left out: any will do. */
  secretFault?(secret: string): FieldFault | null;
}

/** A message that its adapter can't make sense of; it is kept, and can be read again by a later release. */
export class UnreadableMessage extends Error {
  override name = 'UnreadableMessage';
}
