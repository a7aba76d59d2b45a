import { CALL_PROVIDERS, callSourceSettings } from '@frontdesk/contracts';
import fc from 'fast-check';
import { PROVIDERS } from './providers.rules.ts';

const HEADERS = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'authorization',
  'x-vapi-secret',
  'x-vapi-signature',
  'x-timestamp',
  'x-retell-signature',
  'x-twilio-signature',
];

const text = fc.string({ unit: 'binary', maxLength: 100 });
const piece = fc.constantFrom(
  'v1,',
  'v=1772472692000',
  ',d=',
  'Bearer ',
  'sha256=',
  '0'.repeat(64),
  '1772472692',
);
const header = fc.oneof(
  text,
  fc.array(fc.oneof(piece, text)).map((pieces) => pieces.join('')),
);

const message = fc.record({
  body: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  contentType: fc.oneof(text, fc.constantFrom('application/json', 'application/x-www-form-urlencoded')),
  contentEncoding: fc.constantFrom('', 'gzip'),
  headers: fc.dictionary(fc.constantFrom(...HEADERS), header),
  url: fc.oneof(
    text,
    fc.webUrl({ withQueryParameters: true }),
    fc.constant('https://a.example?bodySHA256=%'),
  ),
  receivedAt: fc.constant(new Date(1_772_472_692_000)),
});

const defaults = callSourceSettings.parse({});
const settings = fc
  .record({
    scheme: fc.constantFrom('bearer' as const, 'hmac' as const),
    payload: fc.constantFrom('{body}', '{timestamp}.{body}', ''),
  })
  .map((vapi) => ({ ...defaults, vapi: { ...defaults.vapi, ...vapi, timestamp_header: 'x-timestamp' } }));

it.each(CALL_PROVIDERS)(
  '%s: whatever headers and addresses hold, verifying says no and never throws',
  (provider) => {
    fc.assert(
      fc.property(
        message,
        settings,
        fc.constantFrom('whsec_c2VzYW1lLXNlc2FtZQ==', 'é', ''),
        (raw, set, secret) => {
          expect(PROVIDERS[provider].verify(raw, secret, set, raw.receivedAt)).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  },
);
