import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createReceiverClient } from '../../../../services/webhooks/src/receivers/receiver.client.ts';
import { type DnsServer, eventually, startDnsServer } from '../../../support/index.ts';
import { FORGETFUL, PATIENT, startGuard } from '../guard.ts';
import { startCountingListener } from './counting-listener.ts';
import { RECEIVER_CERTIFICATE } from './receiver-certificate.ts';

/** Plays the public address: tests have none. Any other one on this machine is as forbidden as ever. */
const PUBLIC = '127.0.0.1';
const FORBIDDEN = '127.0.0.2';
const SHORT_MS = 300;
const NEVER_MS = 600_000;

describe('names of receivers', () => {
  let dns: DnsServer;
  let listener: Awaited<ReturnType<typeof startCountingListener>>;
  let stops: (() => Promise<void>)[];

  beforeEach(async () => {
    dns = await startDnsServer();
    listener = await startCountingListener();
    stops = [listener.close, dns.close];
  });

  afterEach(async () => {
    for (const stop of stops) await stop();
  });

  const start = ({
    timeoutMs = NEVER_MS,
    ...options
  }: Parameters<typeof startGuard>[0] & { timeoutMs?: number }) => {
    const { guard, resolver } = startGuard({ servers: [dns.address], ...options });
    const client = createReceiverClient({ timeoutMs, connections: 10, keepUpTo: 20, guard });
    stops.unshift(client.stop, resolver.stop);
    return { guard, resolver, client };
  };
  const startWithPublic = () => start({ isAllowed: (address) => address === PUBLIC, lifetimes: FORGETFUL });
  const post = (
    client: ReturnType<typeof start>['client'],
    name: string,
    { protocol = 'http', port = listener.port } = {},
  ) => client.post(`${protocol}://${name}:${port}/`, {}, Buffer.from('{}'));

  const refused = { httpStatus: null, errorClass: 'address' };
  const reached = { httpStatus: 200, errorClass: null };

  it('that lead elsewhere at the next look-up get nowhere; what was checked is what is connected to', async () => {
    listener.closeAfterEach();
    const { client } = startWithPublic();
    for (let round = 0; round < 5; round += 1)
      for (const [address, outcome] of [
        [PUBLIC, reached],
        [FORBIDDEN, refused],
      ] as const) {
        dns.answer('rebind.example.com', () => [address]);
        expect(await post(client, 'rebind.example.com')).toMatchObject(outcome);
      }
    expect(listener.connectedTo).toEqual(Array(5).fill(PUBLIC));
    // More where an answer was late.
    expect(dns.questions('rebind.example.com')).toBeGreaterThanOrEqual(10);
  });

  it('that were public when they were added and lead to this machine now get nowhere', async () => {
    dns.answer('rebind.example.com', (nth) => (nth === 1 ? ['93.184.216.34'] : [PUBLIC]));
    const { client, guard } = start({ lifetimes: FORGETFUL });
    expect(await guard.addressesOf('rebind.example.com')).toEqual(['93.184.216.34']);
    expect(await post(client, 'rebind.example.com')).toMatchObject(refused);
    expect(listener.connectedTo).toEqual([]);
  });

  it('that lead elsewhere meanwhile change nothing about a connection that is kept', async () => {
    dns.answer('rebind.example.com', (nth) => [nth === 1 ? PUBLIC : FORBIDDEN]);
    const { client } = startWithPublic();
    const outcomes = [];
    for (let count = 0; count < 5; count += 1) outcomes.push(await post(client, 'rebind.example.com'));
    expect(outcomes[0]).toMatchObject(reached);
    expect(new Set(listener.connectedTo)).toEqual(new Set([PUBLIC]));
  });

  it('that have one forbidden address among others are refused whole, whatever the order', async () => {
    dns.answer('first.example.com', () => [FORBIDDEN, PUBLIC]);
    dns.answer('last.example.com', () => [PUBLIC, FORBIDDEN]);
    dns.answer('other-family.example.com', () => [PUBLIC, '::1']);
    const { client } = startWithPublic();
    for (const name of ['first.example.com', 'last.example.com', 'other-family.example.com']) {
      expect(await post(client, name)).toMatchObject(refused);
    }
    expect(listener.connectedTo).toEqual([]);
  });

  it('that hang delay nobody else', async () => {
    const hanging = Array.from({ length: 20 }, (_, index) => `hanging-${index}.example.com`);
    for (const name of hanging) dns.answer(name, () => 'silent');
    dns.answer('receiver.example.com', () => [PUBLIC]);
    const { client } = start({ isAllowed: (address) => address === PUBLIC });
    const outcomes = hanging.map((name) => post(client, name));
    await eventually(() => expect(hanging.map(dns.questions)).toEqual(hanging.map(() => 1)));
    // None of them ends before the test does.
    expect(await post(client, 'receiver.example.com')).toMatchObject(reached);
    await client.stop();
    await Promise.all(outcomes);
  });

  it('that hang fail at the deadline, and delay nothing that follows', async () => {
    dns.answer('hanging.example.com', () => 'silent');
    dns.answer('next.example.com', () => [PUBLIC]);
    const { guard, client: hasty } = start({
      timeoutMs: SHORT_MS,
      isAllowed: (address) => address === PUBLIC,
    });
    expect(await post(hasty, 'hanging.example.com')).toMatchObject({
      httpStatus: null,
      errorClass: 'timeout',
    });
    const patient = createReceiverClient({ timeoutMs: NEVER_MS, connections: 10, keepUpTo: 20, guard });
    stops.unshift(patient.stop);
    expect(await post(patient, 'next.example.com')).toMatchObject(reached);
  });

  it('that never get an answer end as class dns where the deadline is longer than the look-up', async () => {
    dns.answer('hanging.example.com', () => 'silent');
    const { client } = start({ timeouts: { ...PATIENT, queryMs: SHORT_MS } });
    expect(await post(client, 'hanging.example.com')).toMatchObject({ httpStatus: null, errorClass: 'dns' });
  });

  it('are looked up once by all who ask at the same time', async () => {
    const addresses = ['93.184.216.34', '2606:4700::1111'];
    dns.answer('receiver.example.com', () => addresses);
    const { resolver } = start({ lifetimes: FORGETFUL });
    const ask = () => resolver.resolve('receiver.example.com');
    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(addresses));
    expect(dns.questions('receiver.example.com')).toBe(1);
  });

  it.each([
    ['as long as the answer says', 3_600, { minMs: 0, maxMs: NEVER_MS }, 1],
    ['no longer than the answer says', 0, { minMs: 0, maxMs: NEVER_MS }, 2],
    ['for a while at least', 0, { minMs: NEVER_MS, maxMs: NEVER_MS }, 1],
    ['not for too long', 3_600, { minMs: 0, maxMs: 0 }, 2],
  ])('are remembered %s', async (_case, ttlSeconds, lifetimes, questions) => {
    dns.answer('receiver.example.com', () => ['93.184.216.34'], ttlSeconds);
    const { resolver } = start({ lifetimes: { ...FORGETFUL, ...lifetimes } });
    await resolver.resolve('receiver.example.com');
    await resolver.resolve('receiver.example.com');
    expect(dns.questions('receiver.example.com')).toBe(questions);
  });

  it('are looked up again when it is time, although the clock was set back meanwhile', async () => {
    dns.answer('receiver.example.com', () => ['93.184.216.34'], 3_600);
    const { resolver } = start({ lifetimes: { ...FORGETFUL, maxMs: 100 } });
    await resolver.resolve('receiver.example.com');
    const before = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => before() - 86_400_000);
    try {
      await eventually(async () => {
        await resolver.resolve('receiver.example.com');
        expect(dns.questions('receiver.example.com')).toBe(2);
      });
    } finally {
      clock.mockRestore();
    }
  });

  it('that do not exist are class dns, and remembered for a while too', async () => {
    const { client } = start({ lifetimes: { ...FORGETFUL, unknownMs: NEVER_MS } });
    expect(await post(client, 'nobody.example.com')).toMatchObject({ httpStatus: null, errorClass: 'dns' });
    expect(await post(client, 'nobody.example.com')).toMatchObject({ httpStatus: null, errorClass: 'dns' });
    expect(dns.questions('nobody.example.com')).toBe(1);
  });

  it('of this machine’s own file lead there only where the guard is off', async () => {
    expect(await post(start({}).client, 'localhost')).toMatchObject(refused);
    expect(listener.connectedTo).toEqual([]);
    expect(await post(start({ allowPrivate: true }).client, 'localhost')).toMatchObject(reached);
  });

  it('must be those of the certificate, although the address was looked up by ourselves', async () => {
    const server = createHttpsServer(RECEIVER_CERTIFICATE, (_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, PUBLIC, resolve));
    stops.unshift(() => new Promise((resolve) => server.close(() => resolve())));
    const trusted = getCACertificates('default');
    stops.push(async () => setDefaultCACertificates(trusted));
    setDefaultCACertificates([RECEIVER_CERTIFICATE.cert]);

    dns.answer('receiver.example.com', () => [PUBLIC]);
    dns.answer('impostor.example.com', () => [PUBLIC]);
    const { client } = startWithPublic();
    const at = { protocol: 'https', port: (server.address() as AddressInfo).port };
    expect(await post(client, 'receiver.example.com', at)).toMatchObject(reached);
    expect(await post(client, 'impostor.example.com', at)).toMatchObject({
      httpStatus: null,
      errorClass: 'tls',
    });
  });
});
