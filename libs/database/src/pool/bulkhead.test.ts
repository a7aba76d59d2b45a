import { createBulkhead } from './bulkhead.ts';

it('a tenant that is alone waits longer than beside others, and in the end is refused too', async () => {
  const bulkhead = createBulkhead({ connections: 1, waitMs: { contended: 1, alone: 20 } });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const holding = bulkhead.run(7, () => held);
  await expect(bulkhead.run(7, async () => {})).rejects.toMatchObject({ code: 'service_unavailable' });
  letGo();
  await holding;
  expect(await bulkhead.run(7, async () => 'served')).toBe('served');
});
