import type { Replay } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import { eventually, startReceiver } from '../../support/index.ts';
import type { hooksOf } from './hooks.ts';
import { appointmentEvent, type appointmentEvents } from './sample-events.ts';
import type { RunningWebhooks } from './webhooks-world.ts';

export const aroundNow = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
});

/** A replay waits for earlier transactions, those of other tests among them: 40 s at most. */
export const REPLAYED_WITHIN = { timeoutMs: 120_000 };

const lockStarted = tenantSql<{ id: number }, { id: number }>(
  'test_lock_started_replay',
  `select id from replays where tenant_id = $tenantId and id = $id and status = 'running' and queued > 0 for update`,
);

/** What an operator does to send again. */
export function replaysOf(world: RunningWebhooks, tenantId: number, hooks: ReturnType<typeof hooksOf>) {
  const start = (endpoint: number, body: object, headers?: Record<string, string>) =>
    hooks.send('POST', `/${endpoint}/replays`, body, headers);
  const done = (id: number, status: Replay['status'] = 'done') =>
    eventually(async () => {
      const replay: Replay = (await hooks.send('GET', `/replays/${id}`)).body.data;
      expect(replay.status).toBe(status);
      return replay;
    }, REPLAYED_WITHIN);
  const setActive = (id: number, isActive: boolean) => hooks.send('PATCH', `/${id}`, { is_active: isActive });
  return {
    start,
    done,
    setActive,
    /** The replay has begun and queues nothing more while this runs: no worker gets its lock. */
    heldWhile: (id: number, run: () => Promise<void>) =>
      eventually(
        () =>
          world.database.forTenant(tenantId).transaction(async (tx) => {
            expect(await tx.maybeOne(lockStarted, { id })).toEqual({ id });
            await run();
          }),
        REPLAYED_WITHIN,
      ),
    async replay(endpoint: number, body: object) {
      const { status, body: answer } = await start(endpoint, body);
      expect(status).toBe(202);
      return done(answer.data.id);
    },
    /** Events that are taken in while the endpoint is paused. */
    async skip(id: number, ...events: ReturnType<typeof appointmentEvents>) {
      await setActive(id, false);
      const witness = await startReceiver();
      const other = await hooks.create(witness, ['appointment.updated']);
      await world.publish(...events, appointmentEvent(tenantId, 'appointment.updated', 9));
      await eventually(async () =>
        expect(await hooks.log(`?endpoint_id=${other.id}`)).toMatchObject([{ status: 'delivered' }]),
      );
      await hooks.send('DELETE', `/${other.id}`);
      await witness.close();
      await setActive(id, true);
    },
  };
}
