import { patchToJson } from '../providers/call-patch.rules.ts';
import type { RawMessage } from '../providers/call-provider.rules.ts';
import { readRawMessage } from './read-raw-message.rules.ts';
import { createReadingThread } from './reading-thread.ts';

const messageOf = (utterances: number): RawMessage => ({
  body: Buffer.from(
    JSON.stringify({
      provider_call_id: 'call-1',
      direction: 'inbound',
      started_at: '2031-03-03T09:00:00Z',
      ended_at: '2031-03-03T09:10:00Z',
      transcript: Array.from({ length: utterances }, (_, n) => ({
        role: 'customer',
        text: `This is the worst that I have had, ${n} times now. `.repeat(12),
        start: n,
      })),
    }),
  ),
  contentType: 'application/json',
  contentEncoding: '',
  headers: {},
  url: 'https://desk.example.com/ingest/calls/a',
  receivedAt: new Date('2031-03-03T09:11:00Z'),
});

describe('the reading thread', () => {
  let thread: ReturnType<typeof createReadingThread>;
  beforeEach(() => {
    thread = createReadingThread();
  });
  afterEach(() => thread.stop());

  it.each([
    ['a small message', 1],
    ['a large message', 5_000],
  ])('reads %s as it would be read here', async (_name, utterances) => {
    const message = messageOf(utterances);
    const read = await thread.read('generic', message);
    expect(read).toMatchObject({ kind: 'call', transcript: { sentiment: 'negative' } });
    expect(read).toEqual(readRawMessage('generic', message));
    if (read.kind === 'call')
      expect(patchToJson(read.patch)).toMatchObject({ facts: { direction: 'inbound' } });
  });

  it('leaves the event loop to others meanwhile', async () => {
    let turns = 0;
    const spinning = setInterval(() => {
      turns += 1;
    });
    await thread.read('generic', messageOf(5_000));
    clearInterval(spinning);
    expect(turns).toBeGreaterThan(0);
  });

  it('says what is wrong with a large message that can’t be read, and reads the next one', async () => {
    const body = Buffer.from('['.repeat(100_000));
    expect(await thread.read('vapi', { ...messageOf(1), body })).toEqual({
      kind: 'unreadable',
      reason: 'The body is not valid JSON.',
    });
    expect(await thread.read('generic', messageOf(500))).toMatchObject({ kind: 'call' });
  });

  it('fails what it reads when it ends, and begins again', async () => {
    const reading = thread.read('generic', messageOf(5_000));
    const failed = expect(reading).rejects.toThrow('The reading thread has ended.');
    await thread.stop();
    await failed;
    expect(await thread.read('generic', messageOf(500))).toMatchObject({ kind: 'call' });
  });

  it('reads what comes while the thread before is still ending', async () => {
    await thread.read('generic', messageOf(500));
    const stopped = thread.stop();
    expect(await thread.read('generic', messageOf(500))).toMatchObject({ kind: 'call' });
    await stopped;
  });
});
