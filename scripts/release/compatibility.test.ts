import { readFile } from 'node:fs/promises';
import { breakingChanges } from './breaking-changes.ts';
import { descriptionText } from './description.ts';
import { descriptionFile, lastRelease } from './releases.ts';

interface Schema {
  properties: Record<string, Schema>;
  required: string[];
  enum?: string[];
}

/** As far as the changes below reach into it. */
interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: { name: string; schema: Schema }[];
        requestBody: Body;
        responses: Record<string, { headers: object }>;
      }
    >
  >;
  webhooks: Record<string, { post: { requestBody: Body } }>;
  components: { schemas: Record<string, Schema> };
}
type Body = { content: Record<string, { schema: Schema }> };

const today = () => JSON.parse(descriptionText()) as Document;
const schemaOf = (body: Body | undefined) => body?.content['application/json']?.schema as Schema;
const drop = <Value>(list: Value[], value: Value) => list.splice(list.indexOf(value), 1);

/** What breaks when today's description becomes another one. */
function breaksWhen(change: (document: Document) => void): Promise<string[]> {
  const next = today();
  change(next);
  return breakingChanges(process.env.OASDIFF ?? '', today(), next);
}

/** Since the last release more is taken here than before. The tool can't tell that the new format or pattern holds the former one. */
const WIDENED = [
  /^(POST|PATCH) \/api\/v1\/customers\S* the `email\/.* `format` changed from `email` to `idn-email`/,
  /^GET \/api\/v1\/events changed the pattern of the `query` request parameter `types`/,
];

it('nothing that the last release described is broken', async () => {
  const last = JSON.parse(await readFile(descriptionFile(await lastRelease()), 'utf8')) as object;
  const changes = await breakingChanges(process.env.OASDIFF ?? '', last, today());
  expect(changes.filter((change) => !WIDENED.some((known) => known.test(change)))).toEqual([]);
});

describe('a change that clients notice is found', () => {
  it.each<[string, (document: Document) => void, string]>([
    [
      'a field less in a record',
      ({ components: { schemas } }) => {
        delete schemas.Appointment?.properties.notes;
        drop(schemas.Appointment?.required ?? [], 'notes');
      },
      'response-required-property-removed',
    ],
    [
      'a field that may be absent',
      ({ components: { schemas } }) => drop(schemas.Appointment?.required ?? [], 'notes'),
      'response-property-became-optional',
    ],
    [
      'a value less in a filter',
      ({ paths }) => {
        const segment = paths['/api/v1/customers']?.get?.parameters.find(({ name }) => name === 'segment');
        drop(segment?.schema.enum ?? [], 'vip');
      },
      'request-parameter-enum-value-removed',
    ],
    [
      'a value more in a closed list',
      ({ components: { schemas } }) => schemas.Appointment?.properties.status?.enum?.push('late'),
      'response-property-enum-value-added',
    ],
    [
      'a new required field',
      ({ paths }) => schemaOf(paths['/api/v1/customers']?.post?.requestBody).required.push('email'),
      'request-property-became-required',
    ],
    [
      'an operation less',
      ({ paths }) => delete paths['/api/v1/customers/{id}']?.get,
      'api-removed-without-deprecation',
    ],
    [
      'a header less',
      ({ paths }) => {
        const answer = paths['/api/v1/customers/{id}']?.get?.responses[200];
        if (answer) answer.headers = {};
      },
      'required-response-header-removed',
    ],
    [
      'a field less in an event',
      ({ webhooks }) => {
        const event = schemaOf(webhooks['call.ended']?.post.requestBody);
        delete event.properties.sequence;
        drop(event.required, 'sequence');
      },
      'response-required-property-removed',
    ],
    [
      'an event less',
      ({ webhooks }) => delete webhooks['customer.created'],
      'api-path-removed-without-deprecation',
    ],
  ])('%s', async (_change, change, id) => {
    expect((await breaksWhen(change)).join('\n')).toContain(`(${id})`);
  });
});

it('additions break nothing: fields, parameters, operations, values of growing lists, events', async () => {
  const additions = await breaksWhen(({ paths, webhooks, components: { schemas } }) => {
    const { Appointment, Call } = schemas;
    if (Appointment) Appointment.properties.room = { type: 'string' } as unknown as Schema;
    Appointment?.required.push('room');
    const outcome = Call?.properties.outcome as unknown as { 'x-extensible-enum': string[] };
    outcome['x-extensible-enum'].push('forwarded');
    paths['/api/v1/customers']?.get?.parameters.push({
      name: 'tag',
      in: 'query',
      schema: { type: 'string' },
    } as never);
    paths['/api/v1/rooms'] = { get: { responses: { 200: { description: 'Done.' } } } as never };
    webhooks['staff.updated'] = structuredClone(webhooks['customer.updated']) as never;
  });
  expect(additions).toEqual([]);
});

describe('an operation may go', () => {
  const inDays = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
  const withSunset = (sunset: string) => {
    const document = today();
    Object.assign(document.paths['/api/v1/staff']?.get ?? {}, { deprecated: true, 'x-sunset': sunset });
    return document;
  };
  const without = () => {
    const document = today();
    delete document.paths['/api/v1/staff']?.get;
    return document;
  };
  const breaks = (last: object, next: object) => breakingChanges(process.env.OASDIFF ?? '', last, next);

  it('a year after it was deprecated, at the earliest', async () => {
    expect(await breaks(today(), withSunset(inDays(366)))).toEqual([]);
    expect(await breaks(today(), withSunset(inDays(300)))).toHaveLength(1);
  });

  it('after its sunset, not before', async () => {
    expect(await breaks(withSunset(inDays(-1)), without())).toEqual([]);
    expect(await breaks(withSunset(inDays(30)), without())).toHaveLength(1);
  });
});
