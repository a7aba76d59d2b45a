import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import { identityKeys } from '../../support/index.ts';
import { openSalon } from '../scheduling/salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling/scheduling-world.ts';

describe('npm run admin -- holds', () => {
  let world: SchedulingWorld;
  let operator: ReturnType<typeof operatorBy>;
  beforeAll(async () => {
    world = await startScheduling();
    operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      SCHEDULING_INTERNAL_URL: await world.service.internal.listen({ host: '127.0.0.1', port: 0 }),
    });
  });
  afterAll(async () => {
    await world.service.internal.close();
    await world.stop();
  });

  const run = (words: string) => operator.run(['holds', ...words.split(' ')]);
  const json = (words: string) => operator.json<object>(['holds', ...words.split(' ')]);

  /** Holds these times of the salon. @returns the answers' statuses */
  const hold = async (salon: Awaited<ReturnType<typeof openSalon>>, times: string[]) => {
    const statuses: number[] = [];
    for (const appointment_time of times) {
      const { customer_id: _nobody, ...wish } = salon.wish({ appointment_time, staff_id: salon.anna });
      statuses.push((await world.api(salon.tenantId, 'POST', '/holds', wish)).status);
    }
    return statuses;
  };

  it('turns holds off and on again; open ones stay, and are shown by business', async () => {
    const [busy, quiet] = [await openSalon(world), await openSalon(world)];
    expect(await hold(busy, ['10:00', '11:00'])).toEqual([201, 201]);
    expect(await hold(quiet, ['10:00'])).toEqual([201]);

    const { code, stdout } = await run('off');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          `^is_on +false\nopen +3\nkept +3\n\ntenant_id +open\n${busy.tenantId} +2\n${quiet.tenantId} +1\n$`,
        ),
      ),
    ]);
    expect(await hold(busy, ['12:00'])).toEqual([403]);

    const businesses = [
      { tenant_id: busy.tenantId, open: 2 },
      { tenant_id: quiet.tenantId, open: 1 },
    ];
    expect(await json('on')).toEqual({ is_on: true, open: 3, kept: 3, businesses });
    expect(await hold(busy, ['12:00'])).toEqual([201]);

    expect(await json(`release ${busy.tenantId}`)).toEqual({ released: 3 });
    expect(await hold(busy, ['10:00'])).toEqual([201]);
    expect(await json('show')).toMatchObject({ is_on: true, open: 2, kept: 5 });
    expect(await json(`release ${quiet.tenantId}`)).toEqual({ released: 1 });
    expect(await json(`release ${busy.tenantId}`)).toEqual({ released: 1 });
    expect((await run('show')).stdout).toMatch(/^is_on +true\nopen +0\nkept +5\n$/);
  });

  it('says in a line what is wrong: exit code 2', async () => {
    for (const [words, text] of [
      ['release', "missing required argument 'tenant'"],
      ['release seven', 'positive whole number'],
      ['release 999999999999', 'Tenant not found'],
    ] as const) {
      const { code, stdout, stderr } = await run(words);
      expect([words, code, stdout, stderr.trim().split('\n').length]).toEqual([words, 2, '', 1]);
      expect(stderr).toContain(text);
    }
  });
});
