import { callListEntry, callSchema, listCallsQuery } from '../calls.ts';
import { dataOf, pageOf } from '../envelope.ts';
import type { Operation } from './operation.ts';

const PATH = '/api/v1/calls';
const resource = 'calls';

export const CALL_OPERATIONS: readonly Operation[] = [
  {
    id: 'list-calls',
    resource,
    method: 'GET',
    path: PATH,
    title: 'List calls',
    description: 'Calls that are over, the newest first, unless you sort them otherwise.',
    query: listCallsQuery,
    example: { missed: 'true', from_date: '2026-03-02' },
    status: 200,
    answer: pageOf(callListEntry),
  },
  {
    id: 'get-call',
    resource,
    method: 'GET',
    path: `${PATH}/{id}`,
    title: 'Get a call',
    description: 'One call, with its transcript, summary and recording.',
    status: 200,
    answer: dataOf(callSchema),
    hasEtag: true,
  },
];
