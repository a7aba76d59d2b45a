import { failureSchema } from '../errors/envelope.ts';
import { CODES_WITH_DATA, failureWithData } from '../errors/error-data.ts';
import { CANONICAL_EVENTS, EVENT_MEANINGS, exampleOf, webhookBody } from '../events/webhook-events.ts';
import { OPERATIONS, type Operation, RESOURCE_MEANINGS, RESOURCES } from '../operations/index.ts';
import { answersOf, describedFailures, failureName, json } from './answers.ts';
import { describedHeaders, REQUEST_HEADERS } from './headers.ts';
import { genericCallSchema, INGEST_PATH, INGEST_SECURITY_SCHEMES, ingestObject } from './ingest.ts';
import { answerSchema, bodySchema, querySchema, RECORDS } from './wire-schema.ts';

/** More digits are no integer to a route: see `queryInteger`. */
const MAX_QUERY_INTEGER = 999_999_999_999_999;

/** API v1 and its webhooks as OpenAPI 3.1, from the schemas that the routes read and answer by. */
export function openApiDocument(operations: readonly Operation[] = OPERATIONS) {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  paths[INGEST_PATH] = ingestObject();
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
    tags: RESOURCES.map((name) => ({ name, description: RESOURCE_MEANINGS[name] })),
    paths,
    webhooks: Object.fromEntries(CANONICAL_EVENTS.map((event) => [event, webhookObject(event)])),
    components: {
      schemas: {
        ...Object.fromEntries(Object.entries(RECORDS).map(([name, schema]) => [name, answerSchema(schema)])),
        Failure: answerSchema(failureSchema),
        ...Object.fromEntries(
          CODES_WITH_DATA.map((code) => [failureName(code), answerSchema(failureWithData(code))]),
        ),
        GenericCall: genericCallSchema(),
      },
      responses: describedFailures(operations),
      headers: describedHeaders(operations),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        query: { type: 'apiKey', in: 'query', name: 'api_key', description: 'For trying things out.' },
        ...INGEST_SECURITY_SCHEMES,
      },
    },
  };
}

function operationObject(operation: Operation) {
  const { id, resource, scope, title, description, body, example, deprecated } = operation;
  return {
    operationId: id,
    tags: [resource],
    summary: title,
    description,
    ...(deprecated && {
      deprecated: true,
      description: `${description} Deprecated since ${deprecated.since}; it may be gone from ${deprecated.sunset} on: ${deprecated.link}`,
      'x-sunset': deprecated.sunset,
    }),
    ...(scope !== null && { 'x-required-scope': scope }),
    parameters: parametersOf(operation),
    ...(body && {
      // A PATCH without a body changes nothing.
      requestBody: { required: !body.safeParse({}).success, content: json(bodySchema(body), example) },
    }),
    responses: answersOf(operation),
  };
}

function parametersOf(operation: Operation) {
  const { path, query } = operation;
  const { properties = {}, required = [] } = query ? querySchema(query) : {};
  return [
    ...(path.includes('{id}')
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', exclusiveMinimum: 0 } }]
      : []),
    ...Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(description && { description }),
      schema: schema.type === 'integer' ? { maximum: MAX_QUERY_INTEGER, ...schema } : schema,
    })),
    ...REQUEST_HEADERS.filter(({ isOf }) => isOf(operation)).map(
      ({ name, description, schema = { type: 'string' } }) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema,
      }),
    ),
  ];
}

const webhookObject = (event: (typeof CANONICAL_EVENTS)[number]) => ({
  post: {
    operationId: event,
    summary: `Sent when ${EVENT_MEANINGS[event]}.`,
    requestBody: { required: true, content: json(answerSchema(webhookBody(event)), exampleOf(event)) },
    responses: { '2XX': { description: 'Delivered. Anything else is tried again.' } },
  },
});
