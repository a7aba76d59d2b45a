import { Client } from 'pg';
import { updateEndpoint } from '../../../../services/webhooks/src/endpoints/endpoint.repository.ts';
import { LEASE_OWNERS } from '../../../../services/webhooks/src/queue/lease.statements.ts';
import {
  eventually,
  IN_OWN_DATABASE,
  type Receiver,
  startReceiver,
  uniqueTenantId,
} from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent } from '../sample-events.ts';

describe('a claim whose answer comes late', () => {
  let world: DeliveryWorld;
  let database: Client;
  let receiver: Receiver;
  let tenantId: number;
  let endpointId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
    endpointId = (await world.subscribe(tenantId, `${receiver.url}/first`)).id;
    await world.receive(appointmentEvent(tenantId));
  });

  afterEach(async () => {
    await receiver.close();
    await database.end();
    await world.stop();
  });

  /** An engine that has leased the delivery and learns of it only when the test lets it. */
  const startLateEngine = async () => {
    const { promise: isLet, resolve: letIt } = Promise.withResolvers<void>();
    let answered = 0;
    const claimAnswered = async () => {
      answered += 1;
      await isLet;
    };
    const { engine } = await world.startEngine({ claimAnswered });
    await eventually(async () => expect(await leases()).toHaveLength(1));
    return { engine, letIt, answered: () => answered };
  };
  const leases = async () => {
    const { rows } = await database.query<{ lease_owner: number }>(
      'select lease_owner from delivery_queue where lease_token is not null',
    );
    return rows.map(({ lease_owner }) => lease_owner);
  };
  const paths = () => receiver.requests.map(({ path }) => path);

  it('is not sent by what its endpoint was before it was changed', async () => {
    const { engine, letIt } = await startLateEngine();
    const changed = jest.spyOn(engine, 'endpointChanged');
    const change = {
      id: endpointId,
      url: `${receiver.url}/second`,
      events: ['appointment.created'],
      headers: null,
      header_names: [],
      is_active: true,
      isAnew: true,
    };
    await world.database.forTenant(tenantId).transaction((tx) => updateEndpoint(tx, change));
    await eventually(() => expect(changed).toHaveBeenCalledWith(endpointId));
    letIt();

    await eventually(async () => expect(await world.latest(tenantId)).toMatchObject({ status: 'delivered' }));
    expect(paths()).toEqual(['/second']);
  });

  it('is not sent once the leases are lost: another process is sending it', async () => {
    const { engine: late, letIt, answered } = await startLateEngine();
    const [owner] = await leases();
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    await database.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and classid = $1 and objid = $2 and ${IN_OWN_DATABASE}`,
      [LEASE_OWNERS, owner],
    );
    const { engine: other } = await world.startEngine();
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    letIt();
    // The late one has gone on to its next claim.
    await eventually(() => expect(answered()).toBeGreaterThan(1));
    answer.resolve({ status: 200 });
    await Promise.all([late.stop(), other.stop()]);

    expect(receiver.requests).toHaveLength(1);
    expect(await world.latest(tenantId)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });
});
