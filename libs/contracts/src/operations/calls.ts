import { dataOf, pageOf } from '../errors/envelope.ts';
import { callListEntry, callSchema, listCallsQuery } from '../resources/calls/calls.ts';
import type { Operation } from './operation.ts';

const PATH = '/api/v1/calls';
const of = { resource: 'calls', scope: 'calls:read', owner: 'calls', record: 'Call' } as const;

export const callOperations = {
  listCalls: {
    id: 'list-calls',
    ...of,
    method: 'GET',
    path: PATH,
    title: 'List calls',
    description: 'Calls that are over, the newest first, unless you sort them otherwise.',
    query: listCallsQuery,
    example: { missed: 'true', from_date: '2026-03-02' },
    status: 200,
    answer: pageOf(callListEntry),
  },
  getCall: {
    id: 'get-call',
    ...of,
    method: 'GET',
    path: `${PATH}/{id}`,
    title: 'Get a call',
    description:
      'One call, with its transcript, summary and recording. A key without calls:transcripts gets none of these three: an empty list, and null.',
    status: 200,
    answer: dataOf(callSchema),
    hasEtag: true,
  },
} as const satisfies Record<string, Operation>;
