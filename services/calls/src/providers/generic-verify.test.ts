import { callSourceSettings } from '@frontdesk/contracts';
import { Webhook } from 'standardwebhooks';
import { asMessage, NO_SIGNATURES } from '../../fixtures/index.ts';
import type { RawMessage } from './call-provider.rules.ts';
import { generic } from './generic.rules.ts';

const settings = callSourceSettings.parse({});
const now = new Date('2026-03-02T17:31:32Z');
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('generic: signed as Standard Webhooks', () => {
  const secret = generic.createSecret() ?? '';
  const body = '{"provider_call_id":"ünï"}';
  const signedBy = (key: string) => new Webhook(key).sign('msg_1', now, body);
  const message = (signature: string, changes: Partial<RawMessage['headers']> = {}): RawMessage => ({
    ...asMessage(body),
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now.getTime() / 1_000),
      'webhook-signature': signature,
      ...(changes as Record<string, string>),
    },
  });
  const accepts = (raw: RawMessage, at = now) => generic.verify(raw, secret, settings, at);

  it('makes secrets of its own, and takes what the official library signs with them', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(accepts(message(signedBy(secret)))).toBe(true);
    expect(generic.verify(message(signedBy(secret)), secret.slice('whsec_'.length), settings, now)).toBe(
      true,
    );
  });

  it('takes the vector of the specification', () => {
    const raw: RawMessage = {
      ...asMessage('{"test": 2432232314}'),
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
    };
    const at = new Date(1_614_265_330_000);
    expect(generic.verify(raw, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', settings, at)).toBe(true);
  });

  it('takes one good signature among others, as while a sender rotates its secret', () => {
    const other = signedBy(generic.createSecret() ?? '');
    expect(accepts(message(`${other} v1a,x ${signedBy(secret)}`))).toBe(true);
    expect(accepts(message(other))).toBe(false);
  });

  it('takes it within five minutes either way', () => {
    for (const [milliseconds, expected] of [
      [300_000, true],
      [301_000, false],
      [-300_000, true],
      [-301_000, false],
    ] as const)
      expect(accepts(message(signedBy(secret)), later(milliseconds))).toBe(expected);
  });

  it('takes nothing that was changed', () => {
    const good = signedBy(secret);
    expect(accepts({ ...message(good), body: Buffer.from(`${body} `) })).toBe(false);
    expect(accepts(message(good, { 'webhook-id': 'msg_2' }))).toBe(false);
    expect(accepts(message(good, { 'webhook-timestamp': '1e9' }))).toBe(false);
    expect(accepts({ ...asMessage(body), headers: {} })).toBe(false);
    for (const signature of NO_SIGNATURES) expect(accepts(message(signature))).toBe(false);
  });

  it('takes nothing by a secret without bytes', () => {
    expect(generic.verify(message('v1,'), 'whsec_', settings, now)).toBe(false);
  });
});
