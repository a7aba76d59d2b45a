import { newDevice } from './device.rules.ts';

it('a device names the first membership of its account, which 0.1.0 knows, in whatever order they come', () => {
  const memberships = [
    { tenant_id: 7, id: 30 },
    { tenant_id: 9, id: 4 },
    { tenant_id: 8, id: 12 },
  ];
  const device = newDevice({ accountId: 1, credentialsVersion: 2, memberships });
  expect(device).toMatchObject({ accountId: 1, tenantId: 9, adminId: 4, credentialsVersion: 2 });
  expect(newDevice({ accountId: 1, credentialsVersion: 2, memberships: [] })).toMatchObject({ adminId: 0 });
});
