import { createLogger } from '@frontdesk/service';
import type { Claim, Claimed, ClaimRequest, Lease } from '../queue/queue.repository.ts';
import { createClaimsWorker } from './claims.worker.ts';
import { createConcurrencyLimits, type Limits } from './concurrency.limits.ts';

const POLL_MS = 1_000;
const BATCH = 300;
const OWNER = 7;
const TENANT = 1;
const logger = createLogger({ name: 'test', level: 'silent' });

const NOTHING: Claimed = { claims: [], tooMuch: [], unfinished: new Set(), hasMore: false };
const bringing = (claims: Claim[], more: Partial<Claimed> = {}): Claimed => ({ ...NOTHING, claims, ...more });
const claimsOf = (endpointId: number, count: number, tenantId = TENANT) =>
  Array.from({ length: count }, (_, id) => {
    const lease = { id, lease_token: 't', tenant_id: tenantId, endpoint_id: endpointId };
    return { ...lease, body: Buffer.alloc(0) } as unknown as Claim;
  });

describe('claims', () => {
  let claim: jest.Mock<Promise<Claimed>, [ClaimRequest]>;
  let sent: { claim: Claim; end: (delayMs: number | null) => void }[];
  let givenBack: Lease[];
  let announced: number;
  let owner: number | null;
  let worker: ReturnType<typeof createClaimsWorker>;

  beforeEach(() => {
    jest.useFakeTimers();
    claim = jest.fn<Promise<Claimed>, [ClaimRequest]>(async () => NOTHING);
    [sent, givenBack, announced, owner] = [[], [], 0, OWNER];
    worker = workerWith({ total: 400, perTenant: 64, perEndpoint: 20 });
  });
  const workerWith = (limits: Limits) =>
    createClaimsWorker({
      claim,
      limits: createConcurrencyLimits(limits),
      send: (claimed) => {
        const { promise, resolve } = Promise.withResolvers<number | null>();
        sent.push({ claim: claimed, end: resolve });
        return promise;
      },
      returnLeases: async (leases) => void givenBack.push(...leases),
      announce: () => (announced += 1),
      owner: () => owner,
      pollMs: POLL_MS,
      logger,
    });
  afterEach(async () => {
    await worker.stop();
    jest.useRealTimers();
  });
  const settled = () => jest.advanceTimersByTimeAsync(0);
  const start = async () => {
    await worker.start();
    await settled();
  };
  const asked = () => claim.mock.calls.map(([{ limit, fromTenantId }]) => ({ limit, fromTenantId }));

  it('go on behind the tenant at which one ended, and stay there as long as each brings all that is due', async () => {
    const brings = (...tenantIds: number[]) =>
      claim.mockResolvedValueOnce(
        bringing(
          tenantIds.flatMap((id) => claimsOf(10 * id, 2, id)),
          { hasMore: true },
        ),
      );
    brings(5, 8);
    brings(9, 3);
    await start();
    worker.wake();
    await settled();
    expect(asked().map(({ fromTenantId }) => fromTenantId)).toEqual([1, 9, 4, 4]);
    expect(sent).toHaveLength(8);
  });

  it('send no more than the limits allow, though each newcomer was promised a share of the same; the rest goes back', async () => {
    const claims = [1, 2, 3, 4].flatMap((id) => claimsOf(id, 20));
    claim.mockResolvedValueOnce(bringing(claims));
    await start();
    const counts = Map.groupBy(sent, ({ claim: { endpoint_id } }) => endpoint_id);
    expect([1, 2, 3, 4].map((id) => counts.get(id)?.length)).toEqual([20, 15, 10, 7]);
    expect(givenBack).toHaveLength(80 - 52);
  });

  it('bring fewer after one that brought more than its bytes allow, and more again after one that didn’t', async () => {
    const tooMuch = claimsOf(5, BATCH - 10);
    claim.mockResolvedValueOnce(bringing(claimsOf(5, 10), { tooMuch, hasMore: true }));
    await start();
    expect(asked().map(({ limit }) => limit)).toEqual([BATCH, 10]);
    expect(givenBack).toEqual(tooMuch);
    for (let nth = 0; nth < 6; nth += 1) await jest.advanceTimersByTimeAsync(POLL_MS);
    expect(asked().at(-1)?.limit).toBe(BATCH);
  });

  it.each([
    ['the lease session is lost meanwhile', () => (owner = null)],
    ['the endpoint changes meanwhile', () => worker.endpointChanged(5)],
  ])('send nothing where %s, and what was claimed goes back', async (_case, happen) => {
    claim.mockImplementationOnce(async () => {
      happen();
      return bringing(claimsOf(5, 3));
    });
    await start();
    expect(sent).toEqual([]);
    expect(givenBack).toHaveLength(3);
  });

  it('follow the end of a delivery only where its tenant may have more that is due', async () => {
    claim.mockResolvedValueOnce(
      bringing([...claimsOf(5, 20), ...claimsOf(6, 3, TENANT + 1)], { unfinished: new Set([TENANT]) }),
    );
    await start();
    expect(claim).toHaveBeenCalledTimes(1);
    sent.find(({ claim: { endpoint_id } }) => endpoint_id === 6)?.end(null);
    await settled();
    expect(claim).toHaveBeenCalledTimes(1);
    sent[0]?.end(null);
    await settled();
    expect(claim).toHaveBeenCalledTimes(2);
    expect(claim.mock.calls[1]?.[0].limits.endpoints.get(5)).toBe(1);
    expect(announced).toBe(0);
  });

  it('go on with the endpoint after the one of the tenant that had the last turn, as long as it is limited', async () => {
    const brings = (...ids: number[]) =>
      claim.mockResolvedValueOnce(
        bringing(
          ids.flatMap((id) => claimsOf(id, 20)),
          { unfinished: new Set([TENANT]) },
        ),
      );
    brings(5, 8);
    brings(9, 6);
    await start();
    const turns: (number | undefined)[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      worker.wake();
      await settled();
      turns.push(claim.mock.lastCall?.[0].turns.get(TENANT));
      for (const { end } of sent) end(null);
    }
    expect(turns).toEqual([6, undefined, undefined]);
  });

  it('follow a failed delivery as soon as it is due again', async () => {
    claim.mockResolvedValueOnce(bringing(claimsOf(5, 1)));
    await start();
    sent[0]?.end(100);
    await jest.advanceTimersByTimeAsync(99);
    expect(claim).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(claim).toHaveBeenCalledTimes(2);
  });

  it('wait while as much is under way as may be, and follow the first end', async () => {
    worker = workerWith({ total: 4, perTenant: 4, perEndpoint: 4 });
    for (const [tenant, count] of [
      [1, 2],
      [2, 1],
      [3, 1],
    ] as const)
      claim.mockResolvedValueOnce(bringing(claimsOf(tenant, count, tenant), { hasMore: true }));
    await start();
    expect(sent).toHaveLength(4);
    worker.wake();
    await settled();
    expect(claim).toHaveBeenCalledTimes(3);
    sent[0]?.end(null);
    await settled();
    expect(asked().slice(3)).toEqual([{ limit: 1, fromTenantId: 4 }]);
  });

  it('tell other processes of what this one has queued and may not send, and of nothing else', async () => {
    await start();
    worker.queued();
    await settled();
    expect(announced).toBe(0);
    claim.mockResolvedValueOnce(bringing(claimsOf(5, 20), { unfinished: new Set([TENANT]) }));
    worker.wake();
    await settled();
    expect(announced).toBe(0);
    worker.queued();
    await settled();
    expect(announced).toBe(1);
    owner = null;
    worker.queued();
    await settled();
    expect(announced).toBe(2);
  });

  it('tell them after a claim that failed, too', async () => {
    await start();
    claim.mockRejectedValueOnce(new Error('connection lost'));
    claim.mockResolvedValueOnce(bringing(claimsOf(5, 20), { unfinished: new Set([TENANT]) }));
    worker.queued();
    await jest.advanceTimersByTimeAsync(2 * POLL_MS);
    expect(announced).toBe(1);
  });
});
