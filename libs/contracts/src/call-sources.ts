import { z } from 'zod';
import { flagField } from './business-fields.ts';
import { dataOf } from './envelope.ts';
import { instantOut, queryId, requiredText, textField } from './fields.ts';
import { listQuery } from './pagination.ts';

export const CALL_PROVIDERS = ['generic', 'vapi', 'retell', 'twilio'] as const;

export const callProvider = z.enum(
  CALL_PROVIDERS,
  `The {field} field must be one of ${CALL_PROVIDERS.join(', ')}.`,
);

export type CallProviderName = z.infer<typeof callProvider>;

/** How Vapi signs what it sends by one source: its own signing can be set up in several ways. */
const vapiSigning = z
  .object({
    scheme: z.enum(['bearer', 'hmac'], 'The {field} field must be bearer or hmac.').default('bearer'),
    signature_header: textField(100).default('x-vapi-signature'),
    /** Leave it empty if the signature covers no timestamp. */
    timestamp_header: textField(100).default(''),
    /** What is signed: `{body}` and `{timestamp}` stand for themselves. */
    payload: textField(200).default('{body}'),
  })
  .superRefine(({ scheme, signature_header, timestamp_header, payload }, context) => {
    if (scheme !== 'hmac') return;
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message: `The {field} field ${message}` });
    if (!payload.includes('{body}')) refuse('payload', 'must contain {body}: nothing else vouches for it.');
    if (signature_header.trim() === '') refuse('signature_header', 'is required.');
    if (payload.includes('{timestamp}') && timestamp_header.trim() === '')
      refuse('timestamp_header', 'is required where the payload contains {timestamp}.');
  });

/** What a tenant decides for one source. */
export const callSourceSettings = z.object({
  /** Whether an unknown caller becomes a customer: a lead, of the source `call`. */
  creates_leads: flagField.default(false),
  /** Whether calls without the provider's sentiment get one from the customer's words. */
  classifies_sentiment: flagField.default(true),
  vapi: vapiSigning.prefault({}),
});

export type CallSourceSettings = z.output<typeof callSourceSettings>;

const secretField = textField(500).min(8, 'The {field} field must be at least 8 characters.');

export const createCallSourceBody = z.object({
  provider: callProvider,
  name: requiredText(64),
  /** Where the provider dictates it; made here otherwise. */
  secret: secretField.nullish(),
  settings: callSourceSettings.prefault({}),
});

export type CreateCallSource = z.output<typeof createCallSourceBody>;

export const updateCallSourceBody = z
  .object({ name: requiredText(64), is_active: flagField, settings: callSourceSettings })
  .partial();

export type UpdateCallSource = z.output<typeof updateCallSourceBody>;

export const rotateCallSourceBody = z.object({ secret: secretField.nullish() });

export const callSourceSchema = z.object({
  id: z.int(),
  provider: callProvider,
  name: z.string(),
  ingest_url: z.string(),
  secret_last_four: z.string(),
  is_active: z.boolean(),
  settings: callSourceSettings,
  last_message_at: instantOut.nullable(),
  /** When a test call was last made real; `last_message_at` is of others alone. */
  last_test_at: instantOut.nullable(),
  created_at: instantOut,
  updated_at: instantOut,
});

export type CallSource = z.infer<typeof callSourceSchema>;

/** Shows the secret, as nothing but creating and rotating does. */
export const callSourceWithSecret = callSourceSchema.extend({ secret: z.string() });

/** What became of a message: `applied` to a call, `ignored` because it is about no call, `unreadable` for its adapter. */
export const CALL_MESSAGE_STATUSES = ['received', 'applied', 'ignored', 'unreadable'] as const;

export const callMessageSchema = z.object({
  id: z.int(),
  source_id: z.int(),
  status: z.enum(CALL_MESSAGE_STATUSES),
  /** Why it was ignored or couldn't be read. */
  reason: z.string().nullable(),
  call_id: z.int().nullable(),
  content_type: z.string(),
  bytes: z.int(),
  /** Whether a test call of the settings made it. */
  is_test: z.boolean(),
  received_at: instantOut,
});

export type CallMessage = z.infer<typeof callMessageSchema>;

/** With the body as text; of bytes that are none, those beyond ASCII as `\xf6`. */
export const callMessageWithBody = callMessageSchema.extend({ body: z.string() });

export type CallMessageWithBody = z.infer<typeof callMessageWithBody>;

export const listCallMessagesQuery = listQuery('id')
  .omit({ sort: true, updated_since: true })
  .extend({
    id: queryId.optional(),
    source_id: queryId.optional(),
    status: z
      .enum(CALL_MESSAGE_STATUSES, `The {field} field must be one of ${CALL_MESSAGE_STATUSES.join(', ')}.`)
      .optional(),
  });

export type ListCallMessages = z.output<typeof listCallMessagesQuery>;

/** The path, below the gateway, that a source's messages are sent to. */
export const ingestPath = (token: string) => `/ingest/calls/${token}`;

/** The answer to a message that was taken in. It is read later on, unless it is a test. */
export const receivedMessage = dataOf(
  z.object({
    id: z.int(),
    status: z.enum(CALL_MESSAGE_STATUSES).describe('received, unless it is a test.'),
    reason: z.string().nullable().optional().describe('Only of a test: why it was ignored or can’t be read.'),
    call_id: z.int().nullable().optional().describe('Only of a test: the call that it is about.'),
  }),
);

/** Largest message that is taken in, in bytes. */
export const MAX_INGEST_BYTES = 5 * 1024 * 1024;

/** Most tokens of one look-up. */
export const MAX_SOURCE_TOKENS = 1_000;

/** Which of these tokens, the last steps of ingest addresses, lead to a source that takes messages. */
const sourceToken = z.string().regex(/^[0-9A-Za-z]{1,128}$/, 'The {field} field is no token.');
export const findSourcesBody = z.object({ tokens: z.array(sourceToken).max(MAX_SOURCE_TOKENS) });
export const foundSources = z.array(z.string());
