import type { Scope } from '@frontdesk/contracts';
import { integratorOf } from '../../../support/signed-requests.ts';
import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const WORDS = {
  summary: 'Asks about a wedding.',
  transcript: [{ role: 'customer', text: 'We marry in May.' }],
  recording_url: 'https://recordings.example.com/1.mp3',
};

describe('what was said in a call', () => {
  startForEachTest();

  const read = async (scopes: readonly Scope[]) => {
    const caller = { ...integratorOf(tenant), scopes };
    return await calls.send('api', caller, { method: 'GET', url: `/api/v1/calls/${await idOfCall()}` });
  };
  const idOfCall = async () => (await calls.list(tenant)).data[0].id;

  it('is shown to keys with calls:transcripts alone, and neither takes the other’s for its own', async () => {
    await calls.ingest(source, genericMessage(genericCall(WORDS), source));
    await calls.settled(tenant);

    const whole = await read(['calls:read', 'calls:transcripts']);
    expect(whole.body.data).toMatchObject({
      ...WORDS,
      transcript: [expect.objectContaining(WORDS.transcript[0])],
    });
    const bare = await read(['calls:read']);
    expect(bare.body.data).toEqual({
      ...whole.body.data,
      summary: null,
      transcript: [],
      recording_url: null,
    });

    expect(bare.headers.etag).not.toBe(whole.headers.etag);
    expect((await read(['calls:read'])).headers.etag).toBe(bare.headers.etag);
  });

  it('is told apart by the tag also where a call has a transcript alone', async () => {
    await calls.ingest(source, genericMessage(genericCall({ transcript: WORDS.transcript }), source));
    await calls.settled(tenant);
    const bare = await read(['calls:read']);
    const whole = await read(['calls:read', 'calls:transcripts']);
    expect(whole.headers.etag).not.toBe(bare.headers.etag);
    expect(whole.body.data.transcript).toHaveLength(1);
  });
});
