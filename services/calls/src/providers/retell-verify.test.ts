import { callSourceSettings } from '@frontdesk/contracts';
import { asMessage, NO_SIGNATURES } from '../../fixtures/index.ts';
import { retell } from './retell.rules.ts';

const settings = callSourceSettings.parse({});
const now = new Date('2026-03-02T17:31:32Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('Retell', () => {
  // By retell-sdk 5.66.1: Retell.sign(body, 'key_0123456789abcdef') at this very time.
  const signature = 'v=1772472692000,d=f1d818e07d91e506e737d1b51bd9de31931b19b71fe4a1fe7d3ef2f3daa6c67d';
  const body = '{"event":"call_ended","call":{"call_id":"call_1"}}';
  const accepts = (given: string, at = now, text = body) =>
    retell.verify(
      { ...asMessage(text), headers: { 'x-retell-signature': given } },
      'key_0123456789abcdef',
      settings,
      at,
    );

  it('takes what the official library signs, within five minutes', () => {
    expect(accepts(signature)).toBe(true);
    expect(accepts(signature, later(300_000))).toBe(true);
    expect(accepts(signature, later(300_001))).toBe(false);
    expect(accepts(signature, later(-300_001))).toBe(false);
  });

  it('takes nothing else', () => {
    expect(accepts(signature, now, `${body} `)).toBe(false);
    expect(accepts(signature.replace('692000', '692001'))).toBe(false);
    expect(accepts(`${signature}, ${signature}`)).toBe(false);
    for (const junk of [...NO_SIGNATURES, 'v=NaN,d=0', `v=1772472692000,d=${'é'.repeat(32)}`])
      expect(accepts(junk)).toBe(false);
    expect(retell.createSecret()).toBeNull();
  });
});
