import { failureSchema } from '../envelope.ts';
import { ERROR_STATUS } from '../error-codes.ts';
import { ERROR_MEANINGS, type PublicErrorCode } from '../error-meanings.ts';
import { errorsOf, OPERATIONS, type Operation, RESOURCES } from '../operations/index.ts';
import { CANONICAL_EVENTS, EVENT_MEANINGS, exampleOf, webhookBody } from '../webhook-events.ts';
import { ANSWER_HEADERS, mayBeUnchanged, REQUEST_HEADERS } from './headers.ts';
import { answerSchema, bodySchema, querySchema, RECORDS, type WireSchema } from './wire-schema.ts';

const json = (schema: WireSchema, example?: object) => ({
  'application/json': { schema, ...(example && { example }) },
});

/** API v1 and its webhooks as OpenAPI 3.1, from the schemas that the routes read and answer by. */
export function openApiDocument() {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Frontdesk API',
      version: '1',
      description: 'Appointments, customers, calls, staff and services of one business.',
    },
    // Relative to where this document is.
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { header: [] }, { query: [] }],
    tags: RESOURCES.map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(CANONICAL_EVENTS.map((event) => [event, webhookObject(event)])),
    components: {
      schemas: {
        ...Object.fromEntries(Object.entries(RECORDS).map(([name, schema]) => [name, answerSchema(schema)])),
        Failure: answerSchema(failureSchema),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        query: { type: 'apiKey', in: 'query', name: 'api_key', description: 'For trying things out.' },
      },
    },
  };
}

function operationObject(operation: Operation) {
  const { id, resource, title, description, body, example, status, otherStatus, answer } = operation;
  const answered = { headers: answerHeaders(operation), content: json(answerSchema(answer)) };
  return {
    operationId: id,
    tags: [resource],
    summary: title,
    description,
    parameters: parametersOf(operation),
    ...(body && { requestBody: { required: true, content: json(bodySchema(body), example) } }),
    responses: {
      [status]: { description: 'Done.', ...answered },
      ...(otherStatus && {
        [otherStatus.status]: { description: otherStatus.description, ...answered },
      }),
      ...(mayBeUnchanged(operation) && {
        304: {
          description: 'The record is still as If-None-Match knows it.',
          headers: answerHeaders(operation),
        },
      }),
      ...failures(operation),
    },
  };
}

const answerHeaders = (operation: Operation) =>
  Object.fromEntries(
    ANSWER_HEADERS.filter(({ isOf }) => isOf(operation)).map(({ name, description }) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );

function parametersOf(operation: Operation) {
  const { path, query } = operation;
  const { properties = {}, required = [] } = query ? querySchema(query) : {};
  return [
    ...(path.includes('{id}')
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', exclusiveMinimum: 0 } }]
      : []),
    ...Object.entries(properties).map(([name, { description, ...schema }]) => ({
      ...{ name, in: 'query', required: required.includes(name) },
      ...(description && { description }),
      schema,
    })),
    ...REQUEST_HEADERS.filter(({ isOf }) => isOf(operation)).map(({ name, description }) => ({
      ...{ name, in: 'header', required: false, description },
      schema: { type: 'string' },
    })),
  ];
}

/** One answer for each status: several codes may share it. */
function failures(operation: Operation) {
  const byStatus = Map.groupBy(errorsOf(operation), (code) => ERROR_STATUS[code]);
  const entries = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `${code}: ${ERROR_MEANINGS[code as PublicErrorCode]}`).join('\n\n'),
      content: json({ $ref: '#/components/schemas/Failure' }),
    },
  ]);
  return Object.fromEntries(entries) as Record<string, object>;
}

const webhookObject = (event: (typeof CANONICAL_EVENTS)[number]) => ({
  post: {
    operationId: event,
    summary: `Sent when ${EVENT_MEANINGS[event]}.`,
    requestBody: { required: true, content: json(answerSchema(webhookBody(event)), exampleOf(event)) },
    responses: { '2XX': { description: 'Delivered. Anything else is tried again.' } },
  },
});
