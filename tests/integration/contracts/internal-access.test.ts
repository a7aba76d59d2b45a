import { INTERNAL_ACCESS, OPERATOR_CHANGES, recordedChange } from '@frontdesk/contracts';
import { AUDIT_ACTIONS } from '../../../services/settings-ui/src/audit/audit.rules.ts';
import { routesByService } from './registered-routes.ts';

it('the table of access names every internal route that a service registers, and no other', async () => {
  const registered = Object.entries(await routesByService()).flatMap(([service, routes]) =>
    routes
      .filter(({ url, method }) => url.startsWith('/internal') && method !== 'HEAD')
      .map(({ url, method }) => `${service}: ${String(method)} ${url}`),
  );
  const listed = Object.entries(INTERNAL_ACCESS).flatMap(([service, access]) =>
    Object.keys(access).map((line) => `${service}: ${line}`),
  );
  expect(listed.toSorted()).toEqual(registered.toSorted());
});

it('every line names somebody, each once', () => {
  for (const access of Object.values(INTERNAL_ACCESS))
    for (const [line, issuers] of Object.entries(access)) {
      expect([line, issuers]).not.toEqual([line, []]);
      expect(new Set<string>(issuers).size).toBe(issuers.length);
    }
});

it('every change of a business that operators can make has its name in the audit log, and no other', () => {
  for (const [service, access] of Object.entries(INTERNAL_ACCESS) as [
    keyof typeof INTERNAL_ACCESS,
    Record<string, readonly string[]>,
  ][]) {
    const changes = Object.entries(access)
      .filter(([line, issuers]) => issuers.includes('operator') && /^(?!GET).*:tenant_id/.test(line))
      .map(([line]) => line);
    // Its own routes write into its own log.
    const expected = service === 'settings-ui' ? [] : changes;
    expect(Object.keys(OPERATOR_CHANGES[service]).toSorted()).toEqual(expected.toSorted());
  }
});

it('names every action as the audit log shows it, whatever the body is', () => {
  const bodies = [
    ...[undefined, null, 7, [], {}, { is_active: true }, { is_active: false }, { create: true }],
    ...[{ is_real: true }, { status: 'suspended' }, { status: 'active' }, { plan: 'pro' }],
    ...[{ quotas: { staff: null } }, { quotas: 7 }, { timezone: null }, { name: { deep: [{}] } }],
    ...[
      { staff: [{ name: 'Ada' }], settings: { currency: 'EUR', deep: {} } },
      { url: 7, events: [null] },
    ],
  ];
  for (const [service, changes] of Object.entries(OPERATOR_CHANGES))
    for (const line of [...Object.keys(changes), 'POST /internal/tenants/:tenant_id/more'])
      for (const body of bodies) {
        const params = { id: '7', date: '2031-03-03' };
        const change = recordedChange(service as keyof typeof OPERATOR_CHANGES, { line, params, body });
        expect(AUDIT_ACTIONS).toHaveProperty([change.action]);
        for (const answer of [undefined, null, 'x', { name: 7 }, { name: 'Ada', url: 'https://a.example' }])
          expect(change.subjectOf(answer)).not.toMatch(/undefined|\[object|null/);
      }
});
