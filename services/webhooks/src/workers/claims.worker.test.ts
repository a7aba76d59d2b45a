import { createLogger } from '@frontdesk/service';
import type { Claim, Claimed, ClaimRequest, Lease } from '../data/queue.repository.ts';
import { createLeaseLimits } from '../state/lease-limits.ts';
import { createClaimsWorker } from './claims.worker.ts';

const POLL_MS = 1_000;
const BATCH = 300;
const OWNER = 7;
const logger = createLogger({ name: 'test', level: 'silent' });

const NOTHING: Claimed = { claims: [], tooMuch: [], hasMore: false };
const claimsOf = (endpointId: number, count: number) =>
  Array.from({ length: count }, (_, id) => {
    const held = { bytes: 0, holders: 0 };
    return { id, lease_token: 't', tenant_id: 1, endpoint_id: endpointId, held } as Claim;
  });

describe('claims', () => {
  let claim: jest.Mock<Promise<Claimed>, [ClaimRequest]>;
  let sent: Claim[];
  let givenBack: Lease[];
  let owner: number | null;
  let worker: ReturnType<typeof createClaimsWorker>;

  beforeEach(() => {
    jest.useFakeTimers();
    claim = jest.fn<Promise<Claimed>, [ClaimRequest]>(async () => NOTHING);
    [sent, givenBack, owner] = [[], [], OWNER];
    worker = createClaimsWorker({
      claim,
      leases: createLeaseLimits({ total: 400, perTenant: 64, perEndpoint: 20 }),
      send: (claims) => void sent.push(...claims),
      giveBack: (leases) => void givenBack.push(...leases),
      owner: () => owner,
      ...{ pollMs: POLL_MS, logger },
    });
  });
  afterEach(async () => {
    await worker.stop();
    jest.useRealTimers();
  });
  const start = async () => {
    await worker.start();
    await jest.advanceTimersByTimeAsync(0);
  };
  const asked = () => claim.mock.calls.map(([{ limit, afterEndpointId }]) => ({ limit, afterEndpointId }));

  it('go on behind the endpoint at which one ended, and then begin at the first again', async () => {
    claim.mockResolvedValueOnce({ claims: claimsOf(5, BATCH), tooMuch: [], hasMore: true });
    await start();
    expect(asked().map(({ afterEndpointId }) => afterEndpointId)).toEqual([0, 5, 0]);
    expect(sent).toHaveLength(BATCH);
  });

  it('bring fewer after one that brought more than its bytes allow, and more again after one that didn’t', async () => {
    const tooMuch = Array.from({ length: BATCH - 10 }, (_, id) => ({
      ...{ id, lease_token: 'too much' },
      ...{ tenant_id: 1, endpoint_id: 5 },
    }));
    claim.mockResolvedValueOnce({ claims: claimsOf(5, 10), tooMuch, hasMore: true });
    await start();
    expect(asked().map(({ limit }) => limit)).toEqual([BATCH, 10, 20]);
    expect(givenBack).toEqual(tooMuch);
    for (let nth = 0; nth < 5; nth += 1) await jest.advanceTimersByTimeAsync(POLL_MS);
    expect(asked().at(-1)?.limit).toBe(BATCH);
  });

  it.each([
    ['the lease session is lost meanwhile', () => (owner = null)],
    ['the endpoint changes meanwhile', () => worker.forget(5)],
  ])('send nothing where %s, and what was claimed goes back', async (_case, happen) => {
    claim.mockImplementationOnce(async () => {
      happen();
      return { claims: claimsOf(5, 3), tooMuch: [], hasMore: false };
    });
    await start();
    expect(sent).toEqual([]);
    expect(givenBack).toHaveLength(3);
  });
});
