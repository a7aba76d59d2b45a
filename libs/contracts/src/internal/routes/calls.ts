import { z } from 'zod';
import { dataOf, pageOf, removedRecord } from '../../errors/envelope.ts';
import { dateField } from '../../fields/fields.ts';
import {
  callMessageSchema,
  callMessageWithBody,
  callSourceSchema,
  callSourceWithSecret,
  createCallSourceBody,
  findSourcesBody,
  foundSources,
  listCallMessagesQuery,
  refusalsCounted,
  refusedByGatewayBody,
  rotateCallSourceBody,
  updateCallSourceBody,
} from '../../resources/calls/call-sources.ts';
import {
  callAdminSchema,
  callBacksQuery,
  callBacksSchema,
  calledBackBody,
  callListAdminEntry,
  linkedAppointmentBody,
  listCallsAdminQuery,
} from '../../resources/calls/calls-admin.ts';
import { testCallBody, testCallSchema } from '../../resources/calls/test-calls.ts';
import { callStatistics } from '../../resources/statistics.ts';
import { type InternalRoutes, PAGES, PAGES_AND_OPERATOR, TENANT } from './internal-route.ts';
import { eventRoutes, quotaRoutes } from './shared.ts';

const SOURCES = `${TENANT}/call-sources` as const;
const MESSAGES = `${TENANT}/call-messages` as const;
const CALLS = `${TENANT}/calls` as const;
const sources = { callers: PAGES_AND_OPERATOR, scope: 'settings:sources', record: 'Call source' } as const;
const messages = { callers: PAGES_AND_OPERATOR, scope: 'settings:sources', record: 'Call message' } as const;
const calls = { callers: PAGES, scope: 'calls:read', record: 'Call' } as const;

export const callsRoutes = {
  findSources: {
    method: 'POST',
    path: '/internal/call-sources/find',
    callers: ['gateway'],
    body: findSourcesBody,
    answer: dataOf(foundSources),
  },
  countRefusals: {
    method: 'POST',
    path: '/internal/call-sources/refused',
    callers: ['gateway'],
    body: refusedByGatewayBody,
    answer: dataOf(refusalsCounted),
  },
  listSources: { ...sources, method: 'GET', path: SOURCES, answer: dataOf(callSourceSchema.array()) },
  createSource: {
    ...sources,
    method: 'POST',
    path: SOURCES,
    body: createCallSourceBody,
    status: 201,
    answer: dataOf(callSourceWithSecret),
  },
  getSource: { ...sources, method: 'GET', path: `${SOURCES}/{id}`, answer: dataOf(callSourceSchema) },
  updateSource: {
    ...sources,
    method: 'PATCH',
    path: `${SOURCES}/{id}`,
    body: updateCallSourceBody,
    answer: dataOf(callSourceSchema),
  },
  deleteSource: { ...sources, method: 'DELETE', path: `${SOURCES}/{id}`, answer: dataOf(removedRecord) },
  rotateSecret: {
    ...sources,
    method: 'POST',
    path: `${SOURCES}/{id}/rotate`,
    body: rotateCallSourceBody,
    answer: dataOf(callSourceWithSecret),
  },
  makeTestCall: {
    ...sources,
    method: 'POST',
    path: `${SOURCES}/{id}/test-call`,
    callers: PAGES,
    body: testCallBody,
    answer: dataOf(testCallSchema),
  },
  listMessages: {
    ...messages,
    method: 'GET',
    path: MESSAGES,
    query: listCallMessagesQuery,
    answer: pageOf(callMessageSchema),
  },
  getMessage: { ...messages, method: 'GET', path: `${MESSAGES}/{id}`, answer: dataOf(callMessageWithBody) },
  deleteMessage: { ...messages, method: 'DELETE', path: `${MESSAGES}/{id}`, answer: dataOf(removedRecord) },
  replayMessage: {
    ...messages,
    method: 'POST',
    path: `${MESSAGES}/{id}/replay`,
    status: 202,
    answer: dataOf(callMessageSchema),
  },
  listCalls: {
    ...calls,
    method: 'GET',
    path: CALLS,
    query: listCallsAdminQuery,
    answer: pageOf(callListAdminEntry),
  },
  getCall: { ...calls, method: 'GET', path: `${CALLS}/{id}`, answer: dataOf(callAdminSchema) },
  linkAppointment: {
    ...calls,
    scope: 'settings:desk',
    method: 'PUT',
    path: `${CALLS}/{id}/appointment`,
    body: linkedAppointmentBody,
    answer: dataOf(callAdminSchema),
  },
  markCalledBack: {
    ...calls,
    scope: 'settings:desk',
    method: 'PUT',
    path: `${CALLS}/{id}/called-back`,
    body: calledBackBody,
    answer: dataOf(callListAdminEntry),
  },
  unmarkCalledBack: {
    ...calls,
    scope: 'settings:desk',
    method: 'DELETE',
    path: `${CALLS}/{id}/called-back`,
    answer: dataOf(callListAdminEntry),
  },
  listCallBacks: {
    ...calls,
    method: 'GET',
    path: `${TENANT}/call-backs`,
    query: callBacksQuery,
    answer: dataOf(callBacksSchema),
  },
  /** `date`: the last day that counts, else the present one. */
  getCallStatistics: {
    scope: 'calls:read',
    method: 'GET',
    path: `${TENANT}/statistics/calls`,
    callers: PAGES,
    query: z.object({ date: dateField.optional() }),
    answer: dataOf(callStatistics),
  },
  ...quotaRoutes,
  ...eventRoutes,
} as const satisfies InternalRoutes;
