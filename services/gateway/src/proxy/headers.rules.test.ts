import { IDENTITY_HEADER } from '@frontdesk/contracts';
import { downstreamHeaders, messageHeaders, upstreamHeaders } from './headers.rules.ts';

const add = { identity: 'token', requestId: 'id', traceparent: 'trace' };

it('upstream: what a client may not say is dropped, who it is is added', () => {
  const headers = {
    accept: '*/*',
    authorization: 'Bearer x',
    'x-api-key': 'x',
    cookie: 'session=1',
    te: 'trailers',
    'x-forwarded-host': 'evil',
    [IDENTITY_HEADER]: 'forged',
    'x-request-id': 'forged',
    'content-length': '2',
  };
  expect(upstreamHeaders(headers, { method: 'POST', ...add })).toEqual({
    accept: '*/*',
    'content-length': '2',
    'x-request-id': 'id',
    traceparent: 'trace',
    [IDENTITY_HEADER]: 'token',
  });
  expect(upstreamHeaders(headers, { method: 'GET', ...add })['content-length']).toBeUndefined();
});

it('upstream: a body’s length is stated, however the client framed it', () => {
  const chunked = { 'transfer-encoding': 'chunked' };
  const { 'content-length': length, 'transfer-encoding': coding } = upstreamHeaders(chunked, {
    method: 'POST',
    bodyBytes: 7,
    ...add,
  });
  expect([length, coding]).toEqual(['7', undefined]);
});

it('a message: signatures of whatever name go on, identities, sessions and keys of ours don’t', () => {
  const signed = { authorization: 'Bearer secret', 'x-twilio-signature': 'a', 'x-any': 'b' };
  const dropped = { cookie: 'c', 'x-api-key': 'x', 'x-forwarded-host': 'evil', [IDENTITY_HEADER]: 'forged' };
  const { requestId, traceparent } = add;
  expect(
    messageHeaders({ ...signed, ...dropped, te: 'trailers' }, { requestId, traceparent, bodyBytes: 3 }),
  ).toEqual({
    ...signed,
    'content-length': '3',
    'x-request-id': 'id',
    traceparent: 'trace',
  });
  expect(messageHeaders({ authorization: 'bearer  fd_live_x' }, { requestId, traceparent })).toEqual({
    'x-request-id': 'id',
    traceparent: 'trace',
  });
});

it('downstream: what concerns one connection, or only us, is dropped', () => {
  const headers = {
    etag: '"1"',
    connection: 'keep-alive',
    'keep-alive': 'timeout=5',
    'x-frontdesk-node': '1',
  };
  expect(downstreamHeaders(headers)).toEqual({ etag: '"1"' });
});
