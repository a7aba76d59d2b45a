import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { createAccessChanges } from './access-changes.client.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A connection that answers pings for as long as the test wants. */
async function startListening() {
  const subscriber = Object.assign(new EventEmitter(), {
    status: 'ready',
    subscribe: async () => 1,
    ping: async () => 'PONG',
  });
  let silences = 0;
  const changes = createAccessChanges({
    publisher: {} as Redis,
    subscriber: subscriber as unknown as Redis,
    onTenant() {},
    onReset() {},
    async onSilence() {
      silences += 1;
    },
  });
  await changes.start?.();
  subscriber.emit('ready');
  await jest.advanceTimersByTimeAsync(1_000);
  expect(silences).toBe(0);
  return { subscriber, changes, silences: () => silences };
}

it('a second after its connection is lost it has asked for what it can’t hear of', async () => {
  const { subscriber, changes, silences } = await startListening();
  subscriber.status = 'close';
  subscriber.emit('close');
  await jest.advanceTimersByTimeAsync(999);
  expect(silences()).toBeGreaterThan(1);
  await changes.stop?.();
});

it('a second after Redis has stopped to answer, too, until it answers again', async () => {
  const { subscriber, changes, silences } = await startListening();
  subscriber.ping = () => new Promise(() => {});
  await jest.advanceTimersByTimeAsync(999);
  expect(silences()).toBeGreaterThan(1);
  subscriber.ping = async () => 'PONG';
  await jest.advanceTimersByTimeAsync(300);
  const before = silences();
  await jest.advanceTimersByTimeAsync(1_000);
  // The beat that had found no answer yet was the last.
  expect(silences()).toBeLessThanOrEqual(before + 1);
  await changes.stop?.();
});
