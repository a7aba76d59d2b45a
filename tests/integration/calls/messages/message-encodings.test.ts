import { createHmac, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { CallProviderName } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall, newCallId, retellEnded, vapiReport } from '../sample-calls.ts';
import { genericMessage, type SignedMessage, twilioMessage } from '../signed-messages.ts';

const storedBody = systemSql<{ body: Buffer }, { id: number }>(
  'test_stored_bytes',
  'select body from call_messages where id = $id',
);

const JSON_TYPE = { 'content-type': 'application/json' };
const UNREADABLE_TEXT = /half of a surrogate pair/;

let calls: CallsWorld;
beforeAll(async () => {
  calls = await startCalls();
});
afterAll(() => calls.stop());

/** Signed over the very bytes. */
const SIGNED: Record<Exclude<CallProviderName, 'twilio'>, (body: Buffer, source: Source) => SignedMessage> = {
  generic(body, { secret }) {
    const [id, at] = [randomUUID(), String(Math.floor(Date.now() / 1_000))];
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
    return { body, headers: { ...JSON_TYPE, ...headers } };
  },
  vapi: (body, { secret }) => ({ body, headers: { ...JSON_TYPE, authorization: `Bearer ${secret}` } }),
  retell(body, { secret }) {
    const at = Date.now();
    const digest = createHmac('sha256', secret).update(body).update(String(at)).digest('hex');
    return { body, headers: { ...JSON_TYPE, 'x-retell-signature': `v=${at},d=${digest}` } };
  },
};

/** A message of each provider with a text of its caller's in it. */
const TEXTS: Record<keyof typeof SIGNED, (text: string) => object> = {
  generic: (text) => genericCall({ summary: text }),
  vapi: (text) => ({ message: vapiReport(newCallId(), { analysis: { summary: text } }) }),
  retell: (text) => {
    const ended = retellEnded(newCallId()) as { call: object };
    return { ...ended, call: { ...ended.call, call_analysis: { call_summary: text } } };
  },
};
const PROVIDERS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

async function received(source: Source, message: SignedMessage) {
  const answer = await calls.ingest(source, message);
  expect(answer.status).toBe(202);
  await calls.settled(source.tenantId);
  const { id } = answer.body.data;
  const path = `/internal/tenants/${source.tenantId}/call-messages/${id}`;
  const { data } = (await calls.admin('GET', path)).body;
  const { body } = await calls.database.system.one(storedBody, { id });
  expect(body).toEqual(Buffer.from(message.body));
  return data;
}

describe.each(PROVIDERS)('a signed message of %s', (provider) => {
  const send = async (bytes: Buffer, headers: Record<string, string> = {}) => {
    const source = await calls.newSource(calls.newTenant(), provider);
    const signed = SIGNED[provider](bytes, source);
    const message = await received(source, { ...signed, headers: { ...signed.headers, ...headers } });
    return { message, list: await calls.list(source.tenantId) };
  };
  const json = (text: string) => Buffer.from(JSON.stringify(TEXTS[provider](text)));

  it.each([
    ['in Latin-1', (text: Buffer) => Buffer.from(text.toString(), 'latin1'), {}, /not valid UTF-8/],
    ['in UTF-16', (text: Buffer) => Buffer.from(text.toString(), 'utf16le'), {}, /not valid/],
    [
      'that says it is in another charset',
      (text: Buffer) => text,
      { 'content-type': 'application/json; charset=ISO-8859-1' },
      /charset iso-8859-1/,
    ],
    [
      'that is compressed',
      (text: Buffer) => gzipSync(text),
      { 'content-encoding': 'gzip' },
      /Content-Encoding gzip/,
    ],
    ['with half a character', () => json('a\ud800b'), {}, UNREADABLE_TEXT],
  ])('%s is kept byte by byte, and unreadable with the reason', async (_name, made, headers, reason) => {
    const { message, list } = await send(made(json('Jörg')), headers);
    expect(message).toMatchObject({ status: 'unreadable', reason: expect.stringMatching(reason) });
    expect(message.body).not.toContain('\ufffd');
    expect(list.meta.total).toBe(0);
  });

  it('of ASCII is read, whatever charset it names, and UTF-8 as it is', async () => {
    const type = { 'content-type': 'application/json; charset=iso-8859-1' };
    expect((await send(json('Joerg'), type)).message.status).toBe('applied');
    expect((await send(json('Jörg 😀'), JSON_TYPE)).message.status).toBe('applied');
  });

  it('with half a character in a field that nobody reads is read', async () => {
    const { message } = await send(Buffer.from(JSON.stringify({ ...TEXTS[provider]('x'), more: '\ud800' })));
    expect(message.status).toBe('applied');
  });

  it('401: with bytes that are not the signed ones', async () => {
    if (provider === 'vapi') return;
    const tenant = calls.newTenant();
    const source = await calls.newSource(tenant, provider);
    const { headers } = SIGNED[provider](Buffer.from([0x7b, 0xff, 0x7d]), source);
    const answer = await calls.ingest(source, { body: Buffer.from([0x7b, 0xfe, 0x7d]), headers });
    expect([answer.status, await calls.messages(tenant)]).toEqual([401, []]);
  });
});

describe('a form of Twilio', () => {
  const fields = () => ({
    CallSid: newCallId('CA'),
    CallStatus: 'completed',
    Direction: 'inbound',
    From: '+493023125001',
    To: 'Jörg',
    CallDuration: '60',
  });

  it.each([
    ['with escapes of Latin-1', 'J%F6rg', {}, /not valid UTF-8/],
    ['with escapes of half a pair', '%ED%A0%80', {}, /not valid UTF-8/],
    [
      'in another charset',
      'J%C3%B6rg',
      { 'content-type': 'application/x-www-form-urlencoded; charset=windows-1252' },
      /charset windows-1252/,
    ],
    ['that is compressed', 'x', { 'content-encoding': 'br' }, /Content-Encoding br/],
  ])('%s is kept byte by byte, and unreadable with the reason', async (_name, to, headers, reason) => {
    const tenant = calls.newTenant();
    const source = await calls.newSource(tenant, 'twilio');
    // What Twilio signs is the text; of other bytes, what a reader of the form gets.
    const To = new URLSearchParams(`To=${to}`).get('To') as string;
    const signed = twilioMessage({ ...fields(), To }, source);
    const body = String(signed.body).replace(String(new URLSearchParams({ To })), `To=${to}`);
    const message = await received(source, { body, headers: { ...signed.headers, ...headers } });
    expect(message).toMatchObject({ status: 'unreadable', reason: expect.stringMatching(reason), body });
  });

  it('in UTF-8 is read as it is', async () => {
    const tenant = calls.newTenant();
    const source = await calls.newSource(tenant, 'twilio');
    const message = twilioMessage(fields(), source);
    const headers = {
      ...message.headers,
      'content-type': `${message.headers['content-type']}; charset=UTF-8`,
    };
    expect((await received(source, { ...message, headers })).status).toBe('applied');
    expect((await calls.list(tenant)).data[0]).toMatchObject({ to_number: 'Jörg' });
  });
});

it('the same bytes with and without a coding are two messages', async () => {
  const tenant = calls.newTenant();
  const source = await calls.newSource(tenant);
  const { body, headers } = genericMessage(genericCall(), source);
  await calls.ingest(source, { body, headers: { ...headers, 'content-encoding': 'gzip' } });
  await calls.ingest(source, { body, headers });
  const statuses = (await calls.settled(tenant)).map(({ status }: { status: string }) => status);
  expect(statuses.toSorted()).toEqual(['applied', 'unreadable']);
});
