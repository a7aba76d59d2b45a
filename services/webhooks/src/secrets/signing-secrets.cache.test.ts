import { createSecretBox, type SecretBox, SecretBoxError } from '@frontdesk/service';
import { createSigningSecrets } from './signing-secrets.cache.ts';

const box = createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }]);
const owner = { tenantId: 7, endpointId: 12 };

/** How often something was opened. */
function counting(inner: SecretBox) {
  const counted = { opened: 0 };
  const open: SecretBox['open'] = (...args) => {
    counted.opened += 1;
    return inner.open(...args);
  };
  return { counted, secrets: createSigningSecrets({ ...inner, open }) };
}

it('are opened once, however many deliveries they sign', () => {
  const { counted, secrets } = counting(box);
  const { secret: sealed, secret_last_four } = secrets.seal(owner, 'whsec_abcd');
  expect(sealed).not.toContain('abcd');
  expect(secret_last_four).toBe('abcd');
  for (let nth = 0; nth < 3; nth += 1) expect(secrets.open(owner, sealed)).toBe('whsec_abcd');
  expect(counted.opened).toBe(1);
});

it('open for no other endpoint, also once they have been opened', () => {
  const { secrets } = counting(box);
  const { secret: sealed } = secrets.seal(owner, 'whsec_abcd');
  secrets.open(owner, sealed);
  for (const other of [
    { tenantId: 7, endpointId: 13 },
    { tenantId: 8, endpointId: 12 },
  ])
    expect(() => secrets.open(other, sealed)).toThrow(SecretBoxError);
});

it('that are not sealed yet are what they say', () => {
  const { counted, secrets } = counting(box);
  expect(secrets.open(owner, 'whsec_abcd')).toBe('whsec_abcd');
  expect(counted.opened).toBe(0);
});

it('custom headers open for their endpoint alone, once, and for no secret', () => {
  const { counted, secrets } = counting(box);
  const own = { ...owner, url: 'https://a.example/' };
  const { headers, header_names } = secrets.sealHeaders(own, { 'x-a': 'of-nobody', 'x-b': '2' });
  expect(header_names).toEqual(['x-a', 'x-b']);
  expect(headers).not.toContain('of-nobody');
  for (let nth = 0; nth < 3; nth += 1)
    expect(secrets.openHeaders(own, headers)).toEqual({ 'x-a': 'of-nobody', 'x-b': '2' });
  expect(counted.opened).toBe(1);
  expect(() => secrets.openHeaders({ ...own, tenantId: 8 }, headers)).toThrow(SecretBoxError);
  expect(() => secrets.open(owner, headers ?? '')).toThrow(SecretBoxError);
  expect(secrets.sealHeaders(own, {})).toEqual({ headers: null, header_names: [] });
  expect(secrets.openHeaders(own, null)).toEqual({});
});

it('custom headers are for the URL that they were sealed for, also once they are sealed anew', () => {
  const secrets = createSigningSecrets(box);
  const own = { ...owner, url: 'https://a.example/' };
  const { headers } = secrets.sealHeaders(own, { 'x-a': '1' });
  for (const stored of [headers ?? '', secrets.resealHeaders(owner, headers ?? '')]) {
    expect(secrets.openHeaders(own, stored)).toEqual({ 'x-a': '1' });
    expect(secrets.openHeaders({ ...owner, url: 'https://b.example/' }, stored)).toEqual({});
  }
});
