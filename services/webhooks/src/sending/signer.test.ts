import { createSecretBox, type Logger } from '@frontdesk/service';
import { Webhook } from 'standardwebhooks';
import type { Claim } from '../queue/queue.repository.ts';
import { createSigningSecrets } from '../secrets/signing-secrets.cache.ts';
import { createSigner } from './signer.ts';

const box = (id: string, fill: number) => createSecretBox([{ id, key: Buffer.alloc(32, fill) }]);
const known = createSigningSecrets(box('known', 1));
const lost = createSigningSecrets(box('lost', 2));
const url = 'https://a.example/';
const owner = { tenantId: 7, endpointId: 12, url };
const body = Buffer.from('{}');
const secretOf = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;
const [current, previous] = [secretOf('c'), secretOf('p')];
const sealed = known.seal(owner, current).secret;

describe('signing a delivery', () => {
  const error = jest.fn();
  const sign = () => createSigner({ secrets: known, logger: { error } as unknown as Logger });
  const claim = (secret: string, previous_secret: string | null, headers: string | null = null) =>
    ({ tenant_id: 7, endpoint_id: 12, event_id: 'e1', url, secret, previous_secret, headers, body }) as Claim;
  beforeEach(() => error.mockClear());

  it('takes the new secret alone where the one before can’t be read, and says so once', () => {
    const signer = sign();
    const unreadable = lost.seal(owner, previous).secret;
    for (let nth = 0; nth < 3; nth += 1) {
      const { signature: headers = {} } = signer(claim(sealed, unreadable)) ?? {};
      expect(new Webhook(current).verify('{}', headers)).toEqual({});
      expect(headers['webhook-signature']?.split(' ')).toHaveLength(1);
      expect(headers).not.toHaveProperty('x-service-signature-previous');
    }
    expect(error.mock.calls).toEqual([
      [expect.objectContaining({ endpoint_id: 12 }), expect.stringContaining('the new one signs alone')],
    ]);
  });

  it('doesn’t happen by the one before alone', () => {
    const signer = sign();
    const unreadable = lost.seal(owner, current).secret;
    const readable = known.seal(owner, previous).secret;
    for (let nth = 0; nth < 3; nth += 1) expect(signer(claim(unreadable, readable))).toBeNull();
    expect(error).toHaveBeenCalledTimes(1);
  });

  it('comes with the endpoint’s custom headers, and doesn’t happen where they can’t be read', () => {
    const signer = sign();
    const own = { 'x-token': 'abc' };
    const readable = known.sealHeaders(owner, own).headers;
    expect(signer(claim(sealed, null, readable))?.own).toEqual(own);
    expect(signer(claim(sealed, null))?.own).toEqual({});
    // Sealed for another endpoint, or as a secret: each is as good as none.
    for (const unreadable of [
      lost.sealHeaders(owner, own).headers,
      known.sealHeaders({ ...owner, endpointId: 13 }, own).headers,
      known.seal(owner, JSON.stringify(own)).secret,
    ])
      expect(signer(claim(sealed, null, unreadable))).toBeNull();
    expect(error).toHaveBeenCalledTimes(3);
  });
});
