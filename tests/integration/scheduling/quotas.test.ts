import { PLAN_QUOTAS } from '@frontdesk/contracts';
import { eventually } from '../../support/index.ts';
import { atOnce, statusCounts, withStatus } from './answers.ts';
import { asOperator } from './as-operator.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const bodyOf = {
  staff: (name: string) => ({ name }),
  services: (name: string) => ({ name, duration_minutes: 30, price: 10 }),
};
const NOUNS = { staff: 'active staff members', services: 'active services' };

/** A business that may have three of each, with the requests that make them. */
function startBusiness(kind: 'staff' | 'services', allowed = 3) {
  const quotas = { ...PLAN_QUOTAS.starter, [kind]: allowed };
  const tenantId = world.newTenant({ plan: 'starter', quotas });
  const send = asOperator(world, tenantId);
  const add = (name: string) => send('POST', `/${kind}`, bodyOf[kind](name));
  return { tenantId, send, add };
}

describe.each(['staff', 'services'] as const)('%s', (kind) => {
  it('422: of twenty made at once for the last free place one is made', async () => {
    const { send, add } = startBusiness(kind);
    await add('A');
    await add('B');
    const answers = await atOnce(20, (index) => add(`C ${index}`));
    expect(statusCounts(answers)).toEqual({ 201: 1, 422: 19 });
    for (const { body } of withStatus(answers, 422))
      expect([body.code, body.message]).toEqual([
        'quota_exceeded',
        `Your plan allows 3 ${NOUNS[kind]}, and there are 3.`,
      ]);
    expect((await send('GET', '/quota-usage')).body.data).toMatchObject({ [kind]: 3 });
  });

  it('422: of many activated at once for the last free place one is; inactive ones take none', async () => {
    const { send, add } = startBusiness(kind);
    const ids: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      const { body } = await add(`Old ${index}`);
      ids.push(body.data.id);
      await send('PATCH', `/${kind}/${body.data.id}`, { is_active: false });
    }
    await add('A');
    await add('B');
    const answers = await atOnce(10, (index) => send('PATCH', `/${kind}/${ids[index]}`, { is_active: true }));
    expect(statusCounts(answers)).toEqual({ 200: 1, 422: 9 });
    expect(new Set(withStatus(answers, 422).map(({ body }) => body.code))).toEqual(
      new Set(['quota_exceeded']),
    );
  });

  it('beyond a smaller plan stay as they are, and can be changed, deactivated and deleted', async () => {
    const { send, add, tenantId } = startBusiness(kind, 5);
    const ids: number[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push((await add(name)).body.data.id);
    // What an event that tells of a smaller plan leaves in the projection.
    await world.sql(
      tenantId,
      `update tenants set quotas = '{"staff": 3, "services": 3}' where tenant_id = $1`,
    );
    const message = `Your plan allows 3 ${NOUNS[kind]}, and there are 5.`;
    await eventually(async () => expect((await add('F')).body.message).toBe(message));
    expect((await send('PATCH', `/${kind}/${ids[0]}`, { name: 'New' })).status).toBe(200);
    expect((await send('PATCH', `/${kind}/${ids[0]}`, { is_active: false })).status).toBe(200);
    expect((await send('DELETE', `/${kind}/${ids[1]}`)).status).toBe(200);
    expect((await send('PATCH', `/${kind}/${ids[0]}`, { is_active: true })).status).toBe(422);
    expect((await send('GET', `/${kind}`)).body.data).toHaveLength(4);
  });

  it('of an import count as a whole: what it deactivates no longer counts', async () => {
    const { send, add, tenantId } = startBusiness(kind);
    for (const name of ['A', 'B', 'C']) await add(name);
    const entry = (name: string, is_active = true) =>
      kind === 'staff' ? { name, services: [], is_active } : { ...bodyOf.services(name), is_active };
    const swapped = await world.importBusiness(tenantId, { [kind]: [entry('A', false), entry('D')] });
    expect(swapped.status).toBe(200);
    const refused = await world.importBusiness(tenantId, {
      [kind]: [entry('B', false), entry('E'), entry('F')],
    });
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      422,
      'quota_exceeded',
      `Your plan allows 3 ${NOUNS[kind]}, and there are 2: 2 more are too many.`,
    ]);
    const names = (await send('GET', `/${kind}`)).body.data
      .filter(({ is_active }: { is_active: boolean }) => is_active)
      .map(({ name }: { name: string }) => name);
    expect(names).toEqual(['B', 'C', 'D']);
    // What is there already is no addition.
    const same = await world.importBusiness(tenantId, { [kind]: [entry('B'), entry('C'), entry('D')] });
    expect(same.status).toBe(200);
  });
});
