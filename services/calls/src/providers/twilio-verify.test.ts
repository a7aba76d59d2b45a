import { callSourceSettings } from '@frontdesk/contracts';
import { asMessage, NO_SIGNATURES } from '../../fixtures/index.ts';
import type { RawMessage } from './call-provider.rules.ts';
import { twilio } from './twilio.rules.ts';

const settings = callSourceSettings.parse({});
const FORM = 'application/x-www-form-urlencoded';
const now = new Date('2026-03-02T17:31:32Z');

describe('Twilio', () => {
  const accepts = (message: RawMessage, signature: string, token = '12345') =>
    twilio.verify({ ...message, headers: { 'x-twilio-signature': signature } }, token, settings, now);
  const form = (fields: Record<string, string> | [string, string][], url: string): RawMessage => ({
    ...asMessage(new URLSearchParams(fields).toString(), `${FORM}; charset=UTF-8`),
    url,
  });

  // https://www.twilio.com/docs/usage/security
  const fields = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  };
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';

  it('takes the example of its documentation, in whatever order the fields come', () => {
    expect(accepts(form(fields, url), signature)).toBe(true);
    expect(accepts(form(Object.entries(fields).reverse(), url), signature)).toBe(true);
  });

  it('takes the call of twilio-ruby’s own tests', () => {
    const call = {
      ToState: 'California',
      CalledState: 'California',
      Direction: 'inbound',
      FromState: 'CA',
      AccountSid: 'ACba8bc05eacf94afdae398e642c9cc32d',
      Caller: '+14153595711',
      CallerZip: '94108',
      CallerCountry: 'US',
      From: '+14153595711',
      FromCity: 'SAN FRANCISCO',
      CallerCity: 'SAN FRANCISCO',
      To: '+14157669926',
      FromZip: '94108',
      FromCountry: 'US',
      ToCity: '',
      CallStatus: 'ringing',
      CalledCity: '',
      CallerState: 'CA',
      CalledZip: '',
      ToZip: '',
      ToCountry: 'US',
      CallSid: 'CA136d09cd59a3c0ec8dbff44da5c03f31',
      CalledCountry: 'US',
      Called: '+14157669926',
      ApiVersion: '2010-04-01',
      ApplicationSid: 'AP44efecad51364e80b133bb7c07eb8204',
    };
    const message = form(call, 'http://twiliotests.heroku.com/validate/voice');
    expect(accepts(message, 'oVb2kXoVy8GEfwBDjR8bk/ZZ6eA=', '2bd9e9638872de601313dc77410d3b23')).toBe(true);
  });

  // The next three by twilio 6.2.0: getExpectedTwilioSignature('12345', …).
  it('takes the standard port, whether it is written or signed', () => {
    const withPort = 'https://mycompany.com:443/myapp.php?foo=1&bar=2';
    expect(accepts(form(fields, withPort), signature)).toBe(true);
    expect(accepts(form({ CallSid: 'CA1' }, url), 'PwJDnqZfHXcOboNWeT/E77XNCcs=')).toBe(true);
  });

  it('takes a name that comes several times', () => {
    const message = form(
      [
        ['MediaUrl', 'b'],
        ['MediaUrl', 'a'],
        ['MediaUrl', 'b'],
        ['A', ''],
      ],
      'https://mycompany.com/myapp',
    );
    expect(accepts(message, 'MdpdqXORUCSnAYJmNLu9T4uumaE=')).toBe(true);
  });

  const body = '{"CallSid":"CA1234567890ABCDE","Caller":"+12349013030"}';
  const hash = '5ccde7145dfb8f56479710896586cb9d5911809d83afbe34627818790db0aec9';
  const hashed = `https://example.com/myapp?bodySHA256=${hash}`;

  it('takes JSON by the hash in its address', () => {
    expect(accepts({ ...asMessage(body), url: hashed }, 'hPXmLwIy3Fgqv1i9KPmH/HhQ6zo=')).toBe(true);
    expect(accepts({ ...asMessage(`${body} `), url: hashed }, 'hPXmLwIy3Fgqv1i9KPmH/HhQ6zo=')).toBe(false);
  });

  it('takes no body that nothing vouches for', () => {
    // A signature over a bare address, as Twilio makes for every GET.
    const bare = 'XqNa/0zb23Pa5OkAE2d03kJM920=';
    const message = { ...asMessage(body), url: 'https://example.com/myapp' };
    expect(accepts({ ...message, body: Buffer.alloc(0), contentType: FORM }, bare)).toBe(true);
    expect(accepts(message, bare)).toBe(false);
  });

  it('takes nothing else', () => {
    expect(accepts(form({ ...fields, Digits: '12345' }, url), signature)).toBe(false);
    expect(accepts(form(fields, url.replace('foo=1', 'foo=2')), signature)).toBe(false);
    expect(accepts(form(fields, url), signature, '123456')).toBe(false);
    expect(accepts(form(fields, url), signature, '')).toBe(false);
    for (const junk of NO_SIGNATURES) {
      expect(accepts(form(fields, url), junk)).toBe(false);
      expect(accepts(form(fields, 'no address'), junk)).toBe(false);
    }
    expect(twilio.createSecret()).toBeNull();
  });
});
