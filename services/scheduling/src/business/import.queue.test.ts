import { createImportQueue } from './import.queue.ts';

const BUSY = { code: 'service_unavailable', headers: { 'retry-after': '5' } };

it('begins the next one when one has ended, however it has, in the order of coming', async () => {
  const queue = createImportQueue();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const imports = [
    queue.run(() => first.promise.then(() => order.push('first'))),
    queue.run(async () => {
      order.push('second');
      throw new Error('refused');
    }),
    queue.run(async () => order.push('third')),
  ];
  expect(order).toEqual([]);
  first.resolve();
  expect((await Promise.allSettled(imports)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(order).toEqual(['first', 'second', 'third']);
  expect(await queue.run(async () => 'free')).toBe('free');
});

it('503 for who waits too long, or where too many wait; neither keeps the others up', async () => {
  const queue = createImportQueue({ waitMs: 10, mostWaiting: 1 });
  const first = Promise.withResolvers<string>();
  const running = queue.run(() => first.promise);
  const waiting = queue.run(async () => 'second');
  await expect(queue.run(async () => 'third')).rejects.toMatchObject(BUSY);
  await expect(waiting).rejects.toMatchObject(BUSY);
  first.resolve('first');
  expect(await running).toBe('first');
  expect(await queue.run(async () => 'fourth')).toBe('fourth');
});
