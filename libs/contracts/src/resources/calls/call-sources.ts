import { z } from 'zod';
import { dataOf } from '../../errors/envelope.ts';
import type { FieldReason } from '../../errors/field-faults.ts';
import { instantOut, queryId, requiredText, textField } from '../../fields/fields.ts';
import { listQuery } from '../../fields/pagination.ts';
import { MAX_LENGTH } from '../../limits/api-limits.ts';
import { flagField } from '../business/business-fields.ts';

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
    signature_header: textField(MAX_LENGTH.headerName).default('x-vapi-signature'),
    /** Leave it empty if the signature covers no timestamp. */
    timestamp_header: textField(MAX_LENGTH.headerName).default(''),
    /** What is signed: `{body}` and `{timestamp}` stand for themselves. */
    payload: textField(MAX_LENGTH.signedPayload).default('{body}'),
  })
  .superRefine(({ scheme, signature_header, timestamp_header, payload }, context) => {
    if (scheme !== 'hmac') return;
    const refuse = (name: string, message: string, reason: FieldReason) =>
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `The {field} field ${message}`,
        params: reason,
      });
    if (!payload.includes('{body}'))
      refuse('payload', 'must contain {body}: nothing else vouches for it.', { reason: 'body_not_signed' });
    if (signature_header.trim() === '') refuse('signature_header', 'is required.', { reason: 'required' });
    if (payload.includes('{timestamp}') && timestamp_header.trim() === '')
      refuse('timestamp_header', 'is required where the payload contains {timestamp}.', {
        reason: 'timestamp_unnamed',
      });
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
  name: requiredText(MAX_LENGTH.callSourceName),
  /** Where the provider dictates it; made here otherwise. */
  secret: secretField.nullish(),
  settings: callSourceSettings.prefault({}),
});

export type CreateCallSource = z.output<typeof createCallSourceBody>;

export const updateCallSourceBody = z
  .object({
    name: requiredText(MAX_LENGTH.callSourceName),
    is_active: flagField,
    settings: callSourceSettings,
  })
  .partial();

export type UpdateCallSource = z.output<typeof updateCallSourceBody>;

export const rotateCallSourceBody = z.object({ secret: secretField.nullish() });

/** Why a message to a source's address was refused; nothing of it is kept. */
export const CALL_REFUSALS = [
  'signature_missing',
  'signature_malformed',
  'signature_expired',
  'signature_wrong',
  'body_unsigned',
  'too_large',
  'too_many',
  'quota_used_up',
  'suspended',
] as const;

export type CallRefusal = (typeof CALL_REFUSALS)[number];

/** How many messages were refused for one reason, and when the first and the last of them came. */
export const refusedMessages = z.object({
  /** One of `CALL_REFUSALS`; a later release may have more. */
  reason: z.string(),
  messages: z.int(),
  first_at: instantOut,
  last_at: instantOut,
});

export type RefusedMessages = z.infer<typeof refusedMessages>;

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
  /** The latest first; left out where nothing was refused. */
  refused: refusedMessages.array().optional(),
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

/** Most tokens of one look-up. */
export const MAX_SOURCE_TOKENS = 1_000;

/** Which of these tokens, the last steps of ingest addresses, lead to a source that takes messages, and of which tenant. */
const sourceToken = z.string().regex(/^[0-9A-Za-z]{1,128}$/, 'The {field} field is no token.');
export const findSourcesBody = z.object({
  tokens: z.array(sourceToken).max(MAX_SOURCE_TOKENS),
  /** Gateways of the release before take tokens alone. */
  with_tenants: z.boolean('The {field} field must be true or false.').optional(),
});
export const foundSources = z.array(
  z.union([z.string(), z.object({ token: z.string(), tenant_id: z.int() })]),
);

/** Messages that the gateway refused before they reached calls, by the token of their source. */
export const refusedByGatewayBody = z.object({
  refused: z
    .array(
      z.object({
        token: sourceToken,
        reason: z.enum(['too_large', 'too_many'], 'The {field} field must be too_large or too_many.'),
        messages: z.int('The {field} field must be an integer.').min(1).max(1_000_000_000),
      }),
    )
    .max(MAX_SOURCE_TOKENS),
});

export type RefusedByGateway = z.output<typeof refusedByGatewayBody>['refused'][number];

/** How many of them were for sources that there are. */
export const refusalsCounted = z.object({ messages: z.int() });
