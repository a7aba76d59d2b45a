import { CALL_PROVIDERS, type CallProviderName, callSourceSettings } from '@frontdesk/contracts';
import { Webhook } from 'standardwebhooks';
import { PROVIDERS } from '../../services/calls/src/providers/providers.rules.ts';
import { readSample, sampleNames } from './samples.ts';
import { sign } from './sign.ts';

const at = new Date('2026-03-02T20:00:00Z');
const secret = 'whsec_c2VzYW1lLXNlc2FtZQ==';
const settings = callSourceSettings.parse({});
const timed = callSourceSettings.parse({
  vapi: {
    scheme: 'hmac',
    signature_header: 'x-signature',
    timestamp_header: 'x-timestamp',
    payload: '{timestamp}.{body}',
  },
});

function signedSample(name: string, vapi = settings.vapi) {
  const { provider, body, contentType } = readSample(name);
  const message = { body: Buffer.from(body), contentType, url: 'https://frontdesk.example/ingest/calls/t' };
  return { provider, ...sign(provider, message, { secret, at, vapi }) };
}

const isAccepted = (signed: ReturnType<typeof signedSample>, by = settings, key = secret) =>
  PROVIDERS[signed.provider].verify({ ...signed, contentEncoding: '', receivedAt: at }, key, by, at);

describe('sign', () => {
  it.each(sampleNames())('signs %s as its adapter wants it', (name) => {
    expect(isAccepted(signedSample(name))).toBe(true);
    expect(isAccepted(signedSample(name), settings, 'another-secret')).toBe(false);
  });

  it('signs for every provider', () => {
    const sampled = new Set(sampleNames().map((name) => name.split('/')[0] as CallProviderName));
    expect([...sampled].sort()).toEqual([...CALL_PROVIDERS].sort());
  });

  it('signs for a Vapi source as that is set up', () => {
    const signed = signedSample('vapi/booked', timed.vapi);
    expect(isAccepted(signed, timed)).toBe(true);
    expect(isAccepted(signed)).toBe(false);
  });

  it('signs what the official Standard Webhooks library accepts', () => {
    const { provider, body, contentType } = readSample('generic/booked');
    const message = { body: Buffer.from(body), contentType, url: 'https://frontdesk.example' };
    const { headers } = sign(provider, message, { secret, at: new Date() });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });
});
