import { type DnsServer, eventually, startDnsServer, uniqueTenantId } from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { startGuard } from '../guard.ts';
import { appointmentEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';
import { startCountingListener } from './counting-listener.ts';
import { HOSTILE_NAMES, hostileUrls } from './hostile-urls.ts';

type Listener = Awaited<ReturnType<typeof startCountingListener>>;

describe('the address guard', () => {
  let dns: DnsServer;
  let listener: Listener;
  let urls: string[];

  beforeAll(async () => {
    dns = await startDnsServer();
    for (const [name, addresses] of Object.entries(HOSTILE_NAMES)) dns.answer(name, () => addresses);
    listener = await startCountingListener();
    urls = hostileUrls(listener.port);
  });

  afterAll(async () => {
    await listener.close();
    await dns.close();
  });

  describe('at creation', () => {
    let world: RunningWebhooks;

    const env = () => ({ ALLOW_PRIVATE_ENDPOINTS: 'false', DNS_SERVERS: dns.address });
    beforeAll(async () => {
      world = await startWebhooks(env());
    });

    afterAll(() => world.stop());

    const create = (url: string, by = world) =>
      by.request({
        method: 'POST',
        path: `/internal/tenants/${uniqueTenantId()}/webhooks`,
        body: { url, events: ['appointment.created'] },
      });

    it('422: refuses every hostile address, and says so of the url', async () => {
      const answers = [];
      for (const url of urls) answers.push(await create(url));
      const errors = { url: [expect.stringMatching(/public|one of the ports 80, 443, 1024-65535|http/)] };
      expect(answers.map(({ status, body }, index) => [urls[index], status, body.errors])).toEqual(
        urls.map((url) => [url, 422, errors]),
      );
      expect(urls.length).toBeGreaterThan(100);
      expect(listener.connectedTo).toEqual([]);
    });

    it.each([
      [
        'with public addresses',
        'public.example.com',
        ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
      ],
      ['that has no address', 'empty.example.com', []],
    ])('201: takes a name %s', async (_case, name, answer) => {
      dns.answer(name, () => answer);
      expect((await create(`https://${name}/hook`)).status).toBe(201);
      expect(dns.questions(name)).toBeGreaterThan(0);
    });

    it('201: takes a name about which the name server is silent', async () => {
      dns.answer('silent.example.com', () => 'silent');
      const hasty = await startWebhooks(env(), undefined, { timeouts: { lookupMs: 100 } });
      try {
        expect((await create('https://silent.example.com/hook', hasty)).status).toBe(201);
        expect(dns.questions('silent.example.com')).toBeGreaterThan(0);
      } finally {
        await hasty.stop();
      }
    });
  });

  describe('at connect', () => {
    let world: DeliveryWorld;
    let tenantId: number;

    beforeEach(async () => {
      world = await startDeliveryWorld();
      tenantId = uniqueTenantId();
      listener.connectedTo.length = 0;
      listener.requested.length = 0;
    });

    afterEach(() => world.stop());

    /** The class of the one attempt for each of these addresses, which nobody looked at when they were stored. */
    const attempt = async (stored: string[], guard: ReturnType<typeof startGuard>['guard']) => {
      const endpoints = [];
      for (const url of stored) endpoints.push(await world.subscribe(tenantId, url));
      await world.receive(appointmentEvent(tenantId));
      await world.startEngine({ retryDelaysSeconds: [], guard });
      const rows = await eventually(async () => {
        const page = await world.log.page(tenantId, { page: 1, per_page: 1_000 });
        expect(page.rows.filter(({ status }) => status === 'pending')).toEqual([]);
        expect(page.rows).toHaveLength(stored.length);
        return page.rows;
      });
      const outcomes: { endpoint_id: number; status: string; errorClass: string | null | undefined }[] = [];
      for (const { id, endpoint_id, status } of rows) {
        const [only] = (await world.log.find(tenantId, id))?.attempts ?? [];
        outcomes.push({ endpoint_id, status, errorClass: only?.error_class });
      }
      return endpoints.map(({ id, url }) => {
        const { status, errorClass } = outcomes.find(({ endpoint_id }) => endpoint_id === id) ?? {};
        return { url, status, errorClass };
      });
    };

    it('opens no connection to any hostile address, however it was stored', async () => {
      const { guard } = startGuard({ servers: [dns.address], ports: '80,443,1024-65535' });
      expect(await attempt(urls, guard)).toEqual(
        urls.map((url) => ({ url, status: 'failed', errorClass: 'address' })),
      );
      expect(listener.connectedTo).toEqual([]);
    });

    it('sends nothing unencrypted once that is not allowed any more', async () => {
      const { guard } = startGuard({ allowHttp: false, allowPrivate: true, servers: [dns.address] });
      const url = `http://127.0.0.1:${listener.port}/`;
      expect(await attempt([url], guard)).toEqual([{ url, status: 'failed', errorClass: 'address' }]);
      expect(listener.connectedTo).toEqual([]);
    });

    it('lets all of them through where it is switched off', async () => {
      const { guard } = startGuard({ allowPrivate: true, servers: [dns.address] });
      const hosts = ['127.0.0.1', '2130706433', '0.0.0.0', 'localhost', 'loopback.example.com'];
      const reachable = hosts.map((host) => `http://${host}:${listener.port}/`);
      expect(await attempt(reachable, guard)).toEqual(
        reachable.map((url) => ({ url, status: 'delivered', errorClass: null })),
      );
      expect(listener.requested.toSorted()).toEqual(reachable.map((url) => new URL(url).host).toSorted());
      // More where a name has two addresses, and the first was slow to connect.
      expect(listener.connectedTo.length).toBeGreaterThanOrEqual(hosts.length);
    });

    it('counts a refusal as a failed attempt like any other', async () => {
      await world.subscribe(tenantId, `http://127.0.0.1:${listener.port}/`);
      await world.receive(appointmentEvent(tenantId));
      const { metrics } = await world.startEngine({ guard: startGuard().guard });
      const delivery = await eventually(async () => {
        const found = await world.latest(tenantId);
        expect(found.status).toBe('failed');
        return found;
      });
      expect(delivery).toMatchObject({ attempt_count: 3, http_status: null, response_body: null });
      // Counted once the answer to what has been written is there.
      await eventually(async () =>
        expect(await metrics.registry.metrics()).toContain('webhook_attempts_total{result="address"} 3'),
      );
    });
  });
});
