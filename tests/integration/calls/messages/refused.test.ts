import { MAX_INGEST_BYTES, PLAN_QUOTAS } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { withinOneWindow } from '../../../support/within-one-window.ts';
import { PUBLIC_URL } from '../calls-world.ts';
import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import {
  genericCall,
  newCallId,
  newCallSid,
  retellAnalysed,
  twilioStatus,
  vapiReport,
} from '../sample-calls.ts';
import {
  genericMessage,
  retellMessage,
  type SignedMessage,
  twilioMessage,
  vapiMessage,
} from '../signed-messages.ts';

startForEachTest();

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const HOUR_MS = 3_600_000;

interface Refused {
  reason: string;
  messages: number;
  first_at: string;
  last_at: string;
}

const sources = (tenantId: number) => `/internal/tenants/${tenantId}/call-sources`;
const refusedOf = async (id: number, tenantId = tenant): Promise<Refused[]> =>
  (await calls.admin('GET', `${sources(tenantId)}/${id}`)).body.data.refused ?? [];
const countsOf = async (id: number, tenantId = tenant) =>
  (await refusedOf(id, tenantId))
    .map(({ reason, messages }) => [reason, messages])
    .toSorted(([one], [other]) => String(one).localeCompare(String(other)));
const counted = (id: number, expected: [reason: string, messages: number][], tenantId = tenant) =>
  eventually(async () => expect(await countsOf(id, tenantId)).toEqual(expected));

const rows = systemSql<{ tenant_id: number; source_id: number; reason: string; messages: number }>(
  'test_refusals',
  'select tenant_id, source_id, reason, messages from call_refusals',
);
const rowsOfTenant = async () =>
  (await calls.database.system.many(rows)).filter(({ tenant_id }) => tenant_id === tenant);

const forged = () => genericMessage(genericCall(), { ...source, secret: OTHER_SECRET });
const without = ({ body, headers }: SignedMessage, ...names: string[]): SignedMessage => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
});
const having = ({ body, headers }: SignedMessage, more: Record<string, string>): SignedMessage => ({
  body,
  headers: { ...headers, ...more },
});

describe('refused messages are counted by source and reason', () => {
  it('a wrong secret, none, one of an hour ago, one that nobody knows how to read', async () => {
    const before = Date.now();
    const good = genericMessage(genericCall(), source);
    const refused = [
      forged(),
      forged(),
      without(good, 'webhook-signature'),
      without(good, 'webhook-id'),
      genericMessage(genericCall(), { ...source, at: new Date(Date.now() - HOUR_MS) }),
      having(good, { 'webhook-timestamp': 'yesterday' }),
      having(good, { 'webhook-signature': 'sha256=0f' }),
    ];
    for (const message of refused)
      expect(await calls.ingest(source, message)).toMatchObject({
        status: 401,
        body: { code: 'unauthorized', message: 'The signature is not valid, or too old.' },
      });
    await counted(source.id, [
      ['signature_expired', 1],
      ['signature_malformed', 2],
      ['signature_missing', 2],
      ['signature_wrong', 2],
    ]);
    for (const { first_at, last_at } of await refusedOf(source.id)) {
      expect(Date.parse(first_at)).toBeGreaterThanOrEqual(before - 2_000);
      expect(Date.parse(last_at)).toBeGreaterThanOrEqual(Date.parse(first_at));
      expect(Date.parse(last_at)).toBeLessThanOrEqual(Date.now() + 2_000);
    }
    expect(await calls.messages(tenant)).toEqual([]);
  });

  it('of every provider', async () => {
    const [vapi, hmac, retell, twilio] = await Promise.all([
      calls.newSource(tenant, 'vapi'),
      calls.newSource(tenant, 'vapi', {
        settings: { vapi: { scheme: 'hmac', payload: '{timestamp}.{body}', timestamp_header: 'x-time' } },
      }),
      calls.newSource(tenant, 'retell'),
      calls.newSource(tenant, 'twilio'),
    ]);
    const report = vapiMessage(vapiReport(newCallId()), { ...vapi, secret: 'another secret' });
    const signed = { 'x-vapi-signature': '0f' };
    const analysed = retellMessage(retellAnalysed(newCallId()), { ...retell, secret: 'another secret' });
    const status = twilioMessage(twilioStatus(newCallSid()), { ...twilio, secret: 'another secret' });
    const sent: [{ path: string }, SignedMessage][] = [
      [vapi, report],
      [vapi, without(report, 'authorization')],
      [vapi, having(report, { authorization: 'Basic Zm9v' })],
      [hmac, without(report, 'authorization')],
      [hmac, having(report, signed)],
      [hmac, having(report, { ...signed, 'x-time': 'noon' })],
      [hmac, having(report, { ...signed, 'x-time': String(Date.now() - HOUR_MS) })],
      [hmac, having(report, { ...signed, 'x-time': String(Date.now()) })],
      [retell, analysed],
      [retell, without(analysed, 'x-retell-signature')],
      [retell, having(analysed, { 'x-retell-signature': 'v=1' })],
      [retell, retellMessage(retellAnalysed(newCallId()), { ...retell, at: new Date(Date.now() - HOUR_MS) })],
      [twilio, status],
      [twilio, without(status, 'x-twilio-signature')],
      [twilio, having(status, { 'content-type': 'application/json' })],
    ];
    for (const [to, message] of sent) expect((await calls.ingest(to, message)).status).toBe(401);
    await counted(vapi.id, [
      ['signature_malformed', 1],
      ['signature_missing', 1],
      ['signature_wrong', 1],
    ]);
    await counted(hmac.id, [
      ['signature_expired', 1],
      ['signature_malformed', 1],
      ['signature_missing', 2],
      ['signature_wrong', 1],
    ]);
    await counted(retell.id, [
      ['signature_expired', 1],
      ['signature_malformed', 1],
      ['signature_missing', 1],
      ['signature_wrong', 1],
    ]);
    await counted(twilio.id, [
      ['body_unsigned', 1],
      ['signature_missing', 1],
      ['signature_wrong', 1],
    ]);
  });

  it('413: a message that is too large; the type of its body is any', async () => {
    const large = await calls.ingest(source, genericMessage('x'.repeat(MAX_INGEST_BYTES + 1), source));
    expect(large.status).toBe(413);
    await counted(source.id, [['too_large', 1]]);
  });

  it('403 and 429: of a suspended business, and beyond the quota of a day', async () => {
    const suspended = await calls.newSource(calls.newTenant({ status: 'suspended' }));
    expect((await calls.ingest(suspended, genericMessage(genericCall(), suspended))).status).toBe(403);
    await counted(suspended.id, [['suspended', 1]], suspended.tenantId);
    const quotas = { ...PLAN_QUOTAS.pro, call_messages_per_day: 1 };
    const full = await calls.newSource(calls.newTenant({ quotas }));
    await withinOneWindow(86_400, async () => {
      const send = async () => (await calls.ingest(full, genericMessage(genericCall(), full))).status;
      expect([await send(), await send()]).toEqual([202, 429]);
    });
    await counted(full.id, [['quota_used_up', 1]], full.tenantId);
  });

  it('an address that leads nowhere writes nothing', async () => {
    const before = (await calls.database.system.many(rows)).length;
    const paused = await calls.newSource(tenant);
    await calls.admin('PATCH', `${sources(tenant)}/${paused.id}`, { is_active: false });
    for (const path of [paused.path, `/ingest/calls/${'x'.repeat(40)}`, '/ingest/calls/%00'])
      for (const message of [forged(), genericMessage('x'.repeat(MAX_INGEST_BYTES + 1), source)])
        await calls.ingest({ path }, message);
    await calls.ingest(source, forged());
    await counted(source.id, [['signature_wrong', 1]]);
    expect(await calls.database.system.many(rows)).toHaveLength(before + 1);
  });

  it('a flood is one row, written about once a second, and its count is exact', async () => {
    await Promise.all(Array.from({ length: 500 }, () => calls.ingest(source, forged())));
    await counted(source.id, [['signature_wrong', 500]]);
    expect(await rowsOfTenant()).toEqual([
      { tenant_id: tenant, source_id: source.id, reason: 'signature_wrong', messages: 500 },
    ]);
  });

  it('what was counted is written before the service stops', async () => {
    const another = await calls.startAnother(['refused messages']);
    const answer = await calls.ingestAt(another.service.api, source.path, forged());
    expect(answer.status).toBe(401);
    await another.stop();
    expect(await countsOf(source.id)).toEqual([['signature_wrong', 1]]);
  });

  it('are seen on each of the business’s sources, and by no other business', async () => {
    const other = calls.newTenant();
    await calls.newSource(other);
    await calls.ingest(source, forged());
    await counted(source.id, [['signature_wrong', 1]]);
    const refusedIn = async (tenantId: number) =>
      (await calls.admin('GET', sources(tenantId))).body.data.map(
        ({ refused = [] }: { refused?: Refused[] }) => refused.map(({ reason }) => reason),
      );
    expect([await refusedIn(tenant), await refusedIn(other)]).toEqual([[['signature_wrong']], [[]]]);
  });

  it('a message that is taken is the latest at once, though one came in within the minute', async () => {
    const shown = async () => (await calls.admin('GET', `${sources(tenant)}/${source.id}`)).body.data;
    const ingestGood = () => calls.ingest(source, genericMessage(genericCall(), source));
    await ingestGood();
    await calls.ingest(source, forged());
    await ingestGood();
    await counted(source.id, [['signature_wrong', 1]]);
    const { last_message_at: first, refused } = await shown();
    expect(Date.parse(first)).toBeGreaterThanOrEqual(Date.parse(refused[0].last_at));
    await calls.ingest(source, forged());
    await counted(source.id, [['signature_wrong', 2]]);
    await ingestGood();
    const { last_message_at: second, refused: again } = await shown();
    expect(Date.parse(second)).toBeGreaterThanOrEqual(Date.parse(again[0].last_at));
  });
});

describe('POST /internal/call-sources/refused', () => {
  const say = (refused: unknown) =>
    calls.send(
      'internal',
      { issuer: 'gateway', role: 'service' },
      {
        method: 'POST',
        url: '/internal/call-sources/refused',
        body: { refused },
      },
    );
  const token = () => source.url.slice(`${PUBLIC_URL}/ingest/calls/`.length);

  it('200: counts what the gateway refused, of sources that there are', async () => {
    const answer = await say([
      { token: token(), reason: 'too_large', messages: 2 },
      { token: token(), reason: 'too_many', messages: 30 },
      { token: 'x'.repeat(40), reason: 'too_large', messages: 4 },
    ]);
    expect([answer.status, answer.body.data]).toEqual([200, { messages: 32 }]);
    await counted(source.id, [
      ['too_large', 2],
      ['too_many', 30],
    ]);
  });

  it.each([
    ['another reason', { reason: 'signature_wrong' }],
    ['no message', { messages: 0 }],
    ['a token that is none', { token: '-' }],
  ])('422: %s', async (_what, fault) => {
    const answer = await say([{ token: token(), reason: 'too_large', messages: 1, ...fault }]);
    expect(answer.status).toBe(422);
  });
});
