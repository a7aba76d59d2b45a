import { callSourceSettings } from '@frontdesk/contracts';
import { asMessage, NO_SIGNATURES } from '../../fixtures/index.ts';
import type { RawMessage } from './call-provider.rules.ts';
import { vapi } from './vapi.rules.ts';

const settings = callSourceSettings.parse({});
const now = new Date('2026-03-02T17:31:32Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('Vapi', () => {
  const body = '{"message":{}}';
  const secret = vapi.createSecret() ?? '';
  const message = (headers: Record<string, string>): RawMessage => ({ ...asMessage(body), headers });

  it.each([
    [{ authorization: `Bearer ${secret}` }, true],
    [{ authorization: `bearer  ${secret}` }, true],
    [{ 'x-vapi-secret': secret }, true],
    [{ authorization: secret }, false],
    [{ authorization: `Bearer ${secret}x` }, false],
    [{ 'x-vapi-secret': secret.toLowerCase() }, false],
    [{}, false],
  ])('as bearer: %#', (headers, expected) => {
    expect(vapi.verify(message(headers as Record<string, string>), secret, settings, now)).toBe(expected);
    expect(vapi.verify(message(headers as Record<string, string>), '', settings, now)).toBe(false);
  });

  // printf '{"message":{}}' | openssl dgst -sha256 -hmac sesame-sesame
  const HEX = 'c47aa8c1aedd97389a89a5601d9bd7ae2b1fe1bfbcc60905b7983a848329bfd6';
  // printf '1772472692.{"message":{}}' | openssl dgst -sha256 -hmac sesame-sesame
  const TIMED = '82f7098ad4c5996971d48ea3238d8a203bfa80dd282a05bca493c7da2d6b95cd';
  const hmac = (changes: Partial<typeof settings.vapi>) => ({
    ...settings,
    vapi: { ...settings.vapi, scheme: 'hmac' as const, ...changes },
  });
  const timed = hmac({
    signature_header: 'X-Signature',
    timestamp_header: 'X-Timestamp',
    payload: '{timestamp}.{body}',
  });

  it.each([
    ['hex', HEX],
    ['a prefix', `sha256=${HEX.toUpperCase()}`],
    ['base64', Buffer.from(HEX, 'hex').toString('base64')],
  ])('as HMAC over the body, written as %s', (_form, signature) => {
    const signed = message({ 'x-vapi-signature': signature });
    expect(vapi.verify(signed, 'sesame-sesame', hmac({}), now)).toBe(true);
    expect(vapi.verify({ ...signed, body: Buffer.from('{}') }, 'sesame-sesame', hmac({}), now)).toBe(false);
    expect(vapi.verify(signed, 'sesame-sesame', settings, now)).toBe(false);
  });

  it('as HMAC over the time as well, within five minutes', () => {
    const signed = message({ 'x-signature': TIMED, 'x-timestamp': '1772472692' });
    expect(vapi.verify(signed, 'sesame-sesame', timed, now)).toBe(true);
    expect(vapi.verify(signed, 'sesame-sesame', timed, later(301_000))).toBe(false);
    const unknown = message({ 'x-signature': TIMED });
    expect(vapi.verify(unknown, 'sesame-sesame', timed, now)).toBe(false);
  });

  it('takes no signature that leaves out the body, and no junk', () => {
    const signed = message({ 'x-vapi-signature': HEX });
    expect(vapi.verify(signed, 'sesame-sesame', hmac({ payload: '{"message":{}}' }), now)).toBe(false);
    for (const signature of NO_SIGNATURES) {
      const junk = message({
        'x-vapi-signature': signature,
        authorization: signature,
        'x-vapi-secret': signature,
      });
      for (const form of [settings, hmac({}), timed])
        expect(vapi.verify(junk, 'sesame-sesame', form, now)).toBe(false);
    }
  });
});
