import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookRequest } from '../index.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [secret, otherSecret] = [newSecret(), newSecret()];
const event = { id: 'evt_1', event: 'customer.created', data: { name: 'Zoë ✂' } };
const text = JSON.stringify(event);

/** Signed by a library that knows nothing of this one. */
function standardHeaders(by: string[] = [secret], sentAt = new Date()) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': by.map((one) => new Webhook(one).sign('evt_1', sentAt, text)).join(' '),
  };
}

const serviceSignature = (by: string) => `sha256=${createHmac('sha256', by).update(text).digest('hex')}`;
const verify = (request: Partial<WebhookRequest>) =>
  verifyWebhook({ body: text, headers: standardHeaders(), secret, ...request });
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

describe('a genuine request', () => {
  it.each([
    ['text', text],
    ['a Buffer', Buffer.from(text)],
    ['an ArrayBuffer', new Uint8Array(Buffer.from(text)).buffer],
    ['a part of a larger buffer', Buffer.from(`xx${text}xx`).subarray(2, -2)],
  ])('is its event, the body being %s', async (_case, body) => {
    expect(await verify({ body })).toEqual(event);
  });

  it('is accepted with Fetch’s headers and with Node’s, whatever their case', async () => {
    expect(await verify({ headers: new Headers(standardHeaders()) })).toEqual(event);
    const upper = Object.entries(standardHeaders()).map(([name, value]) => [name.toUpperCase(), value]);
    expect(await verify({ headers: Object.fromEntries(upper) })).toEqual(event);
  });

  it('is accepted by either secret while Frontdesk signs with two, and while the receiver knows two', async () => {
    const headers = standardHeaders([otherSecret, secret]);
    expect(await verify({ headers })).toEqual(event);
    expect(await verify({ headers, secret: otherSecret })).toEqual(event);
    expect(await verify({ secret: [otherSecret, secret] })).toEqual(event);
  });

  it('is accepted within the tolerance', async () => {
    expect(await verify({ headers: standardHeaders([secret], secondsAgo(200)) })).toEqual(event);
    const old = standardHeaders([secret], secondsAgo(1_000));
    expect(await verify({ headers: old, toleranceSeconds: 2_000 })).toEqual(event);
  });

  it('is accepted by X-Service-Signature, the previous secret’s included', async () => {
    const scheme = 'service';
    expect(await verify({ scheme, headers: { 'x-service-signature': serviceSignature(secret) } })).toEqual(
      event,
    );
    const rotated = {
      'x-service-signature': serviceSignature(otherSecret),
      'x-service-signature-previous': serviceSignature(secret),
    };
    expect(await verify({ scheme, headers: rotated })).toEqual(event);
  });
});

describe('a request is refused', () => {
  const signed = standardHeaders();
  it.each<[string, string, Partial<WebhookRequest>]>([
    ['whose body was changed', 'signature_wrong', { body: text.replace('Zoë', 'Zoe') }],
    ['signed with another secret', 'signature_wrong', { secret: otherSecret }],
    ['whose id was changed', 'signature_wrong', { headers: { ...signed, 'webhook-id': 'evt_2' } }],
    [
      'with an unreadable signature',
      'signature_wrong',
      { headers: { ...signed, 'webhook-signature': 'v1,%% x' } },
    ],
    [
      'with a signature of another version',
      'signature_wrong',
      { headers: { ...signed, 'webhook-signature': signed['webhook-signature'].replace('v1', 'v2') } },
    ],
    ['recorded and sent again', 'timestamp_too_old', { headers: standardHeaders([secret], secondsAgo(400)) }],
    ['from the future', 'timestamp_in_future', { headers: standardHeaders([secret], secondsAgo(-400)) }],
    ['whose time is no number', 'timestamp_invalid', { headers: { ...signed, 'webhook-timestamp': 'now' } }],
    ['with a tolerance that is no number', 'timestamp_too_old', { toleranceSeconds: Number.NaN }],
    [
      'with X-Service-Signature alone, which a recorded request has too',
      'header_missing',
      { headers: { 'x-service-signature': serviceSignature(secret) } },
    ],
    [
      'with a wrong X-Service-Signature',
      'signature_wrong',
      { scheme: 'service', headers: { 'x-service-signature': serviceSignature(otherSecret) } },
    ],
    ['without any signature', 'header_missing', { scheme: 'service' }],
    ['with the same header twice', 'header_missing', { headers: { ...signed, 'Webhook-Id': 'evt_1' } }],
    ['whose body was parsed already', 'body_not_raw', { body: event as never }],
    ['where no secret is configured', 'secret_invalid', { secret: '' }],
    ['where no secrets are configured', 'secret_invalid', { secret: [] }],
    ['where the secret is none', 'secret_invalid', { secret: 'whsec_%' }],
    ['where the secret is empty behind its prefix', 'secret_invalid', { secret: 'whsec_' }],
    ['without headers', 'header_missing', { headers: undefined as never }],
  ])('%s', async (_case, code, request) => {
    await expect(verify(request)).rejects.toMatchObject({ name: 'WebhookVerificationError', code });
  });

  it.each(['standard', 'service'] as const)('of both where only the %s one fits', async (fitting) => {
    const standard = standardHeaders();
    const service = { 'x-service-signature': serviceSignature(secret) };
    const wrong = { 'x-service-signature': serviceSignature(otherSecret) };
    expect(await verify({ scheme: 'both', headers: { ...standard, ...service } })).toEqual(event);
    const headers =
      fitting === 'standard'
        ? { ...standard, ...wrong }
        : { ...standard, ...service, 'webhook-signature': 'v1,AAAA' };
    await expect(verify({ scheme: 'both', headers })).rejects.toMatchObject({ code: 'signature_wrong' });
    const alone = fitting === 'standard' ? standard : service;
    await expect(verify({ scheme: 'both', headers: alone })).rejects.toMatchObject({
      code: 'header_missing',
    });
  });

  it('under a scheme that there is not', async () => {
    await expect(verify({ scheme: 'Standard' as never })).rejects.toThrow(/^scheme must be/);
  });

  it('without naming the secret', async () => {
    const error = await verify({ secret: otherSecret }).catch((fault: Error) => fault.message);
    expect(JSON.stringify(error)).not.toContain(otherSecret);
  });
});

it('an event’s name tells the type of its data', async () => {
  const received = await verify({});
  if (received.event === 'customer.created') expect(received.data.name satisfies string).toBe('Zoë ✂');
  // @ts-expect-error: an alias of appointment.created, whose data is an appointment
  if (received.event === 'appointment.booked') void received.data.transcript;
  if (received.event === 'call.completed') void received.data.transcript;
});
