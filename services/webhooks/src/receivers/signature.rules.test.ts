import { Webhook } from 'standardwebhooks';
import { generateSecret, signatureHeaders } from './signature.rules.ts';

const body = Buffer.from('{"name":"Zoë ✂"}');

describe('signatureHeaders', () => {
  it('signs the contract’s way: hex HMAC-SHA256 over the bytes, keyed with the whole secret string', () => {
    // printf '{"name":"Zoë ✂"}' | openssl dgst -sha256 -hmac 'whsec_c2VjcmV0'
    const headers = signatureHeaders({
      id: 'evt_1',
      body,
      secret: 'whsec_c2VjcmV0',
      previousSecret: null,
      timestampSeconds: 1,
    });
    expect(headers).not.toHaveProperty('x-service-signature-previous');
    expect(headers['x-service-signature']).toBe(
      'sha256=c97dfca0ea16907397ef111bc9592bdccb392034e568f67ed57d58e5291c6b28',
    );
  });

  it('is accepted by the Standard Webhooks library, and not once a byte changed', () => {
    const secret = generateSecret();
    const headers = signatureHeaders({
      id: 'evt_1',
      body,
      secret,
      previousSecret: null,
      timestampSeconds: Math.floor(Date.now() / 1_000),
    });
    expect(new Webhook(secret).verify(body.toString(), headers)).toEqual({ name: 'Zoë ✂' });
    expect(() => new Webhook(secret).verify('{"name":"Zoe ✂"}', headers)).toThrow('No matching signature');
  });
});

describe('signatureHeaders after a rotation', () => {
  it('are accepted by a receiver that knows either secret', () => {
    const [secret, previousSecret] = [generateSecret(), generateSecret()];
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = signatureHeaders({ id: 'evt_1', body, secret, previousSecret, timestampSeconds });
    for (const known of [secret, previousSecret])
      expect(new Webhook(known).verify(body.toString(), headers)).toEqual({ name: 'Zoë ✂' });
    const alone = (known: string) =>
      signatureHeaders({ id: 'evt_1', body, secret: known, previousSecret: null, timestampSeconds });
    expect(headers['x-service-signature']).toBe(alone(secret)['x-service-signature']);
    expect(headers['x-service-signature-previous']).toBe(alone(previousSecret)['x-service-signature']);
  });
});

describe('generateSecret', () => {
  it('makes a new secret of 32 random bytes each time', () => {
    expect(generateSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateSecret()).not.toBe(generateSecret());
  });
});
