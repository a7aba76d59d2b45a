import { ERROR_STATUS, type ErrorCode } from '../errors/error-codes.ts';
import { MAX_INGEST_BYTES } from '../limits/api-limits.ts';
import { receivedMessage } from '../resources/calls/call-sources.ts';
import { genericCallJsonSchema } from '../resources/calls/generic-call.ts';
import { SIGNATURE_HEADERS } from '../resources/webhooks.ts';
import { json } from './answers.ts';
import { answerSchema, type WireSchema } from './wire-schema.ts';

/** Where call sources send messages. It is no part of API v1: no key opens it, and the client has no method for it. */
export const INGEST_PATH = '/ingest/calls/{source}';

/** What can go wrong, in the words of those who send calls. */
const FAILURES: Partial<Record<ErrorCode, string>> = {
  bad_request: 'The request can’t be read.',
  unauthorized: 'The signature is not valid, or too old. Nothing is stored.',
  tenant_suspended: 'The business is suspended.',
  not_found: 'There is no call source at this address, or it is paused.',
  request_timeout: 'The message arrived too slowly.',
  payload_too_large: `The message is longer than ${MAX_INGEST_BYTES / 2 ** 20} MiB.`,
  expectation_failed: 'The Expect header asks for something other than 100-continue.',
  rate_limited:
    'The source sends too many messages for a minute, or more than the plan allows for a day; see Retry-After.',
  headers_too_large: 'The request’s headers are too long.',
  internal_error: 'Something went wrong on our side. Send the message again.',
  service_unavailable: 'Part of the system is unavailable. Send the message again after Retry-After.',
  upstream_timeout: 'Part of the system took too long. Send the message again.',
};

const WITH_RETRY_AFTER: readonly number[] = [429, 503];
const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

const failures = () =>
  Object.fromEntries(
    Object.entries(FAILURES).map(([code, meaning]) => {
      const status = ERROR_STATUS[code as ErrorCode];
      const headers = {
        ...header('X-Request-Id'),
        ...(WITH_RETRY_AFTER.includes(status) && header('Retry-After')),
      };
      const content = json({ $ref: '#/components/schemas/Failure' });
      return [status, { description: `${code}: ${meaning}`, headers, content }];
    }),
  );

const signature = (name: string, description: string) => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

/** How each provider vouches for its messages; the secret is that of the call source. */
export const INGEST_SECURITY_SCHEMES = {
  genericSignature: signature(
    SIGNATURE_HEADERS.signature,
    `For generic sources: signed as Standard Webhooks, with ${SIGNATURE_HEADERS.id} and ${SIGNATURE_HEADERS.timestamp} beside it.`,
  ),
  vapiToken: { type: 'http', scheme: 'bearer', description: 'For sources of Vapi: the secret itself.' },
  vapiSecret: signature('X-Vapi-Secret', 'For sources of Vapi: the secret itself.'),
  vapiSignature: signature('x-vapi-signature', 'For sources of Vapi with an HMAC credential.'),
  retellSignature: signature('x-retell-signature', 'For sources of Retell.'),
  twilioSignature: signature('x-twilio-signature', 'For sources of Twilio.'),
};

export const genericCallSchema = (): WireSchema => {
  const { $schema: _draft, ...schema } = genericCallJsonSchema();
  return schema as WireSchema;
};

const text = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

export const ingestObject = () => ({
  post: {
    operationId: 'send-call-message',
    tags: ['calls'],
    summary: 'Send a call message',
    description:
      'Takes in what a call source reports about a call. The address is that of the source: it stands for the key. The message is stored and read later on; the same message again changes nothing.',
    security: Object.keys(INGEST_SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    parameters: [
      {
        name: 'source',
        in: 'path',
        required: true,
        description: 'The last step of the source’s own address.',
        schema: { type: 'string', pattern: '^[0-9A-Za-z]{1,128}$' },
      },
      {
        name: 'test',
        in: 'query',
        required: false,
        description: 'true: the message is a test, and the answer says whether it can be read.',
        schema: { type: 'string' },
      },
      text(SIGNATURE_HEADERS.id, 'The sender’s id of the message. Of generic sources.'),
      text(SIGNATURE_HEADERS.timestamp, 'When it was sent, in seconds since 1970. Of generic sources.'),
    ],
    requestBody: {
      required: true,
      description: 'A body that can’t be read is kept too, and shown with the reason by the settings.',
      content: {
        'application/json': {
          schema: {
            anyOf: [
              { $ref: '#/components/schemas/GenericCall' },
              { type: 'object', description: 'Of Vapi, Retell and Twilio: the message as they send it.' },
            ],
          },
        },
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', description: 'Of Twilio: a status callback as it sends it.' },
        },
      },
    },
    responses: {
      202: {
        description: 'Stored.',
        headers: header('X-Request-Id'),
        content: json(answerSchema(receivedMessage)),
      },
      ...failures(),
    },
  },
});
