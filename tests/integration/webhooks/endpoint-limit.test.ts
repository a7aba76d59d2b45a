import { MAX_ENDPOINTS } from '@frontdesk/contracts';
import { uniqueTenantId } from '../../support/index.ts';
import { hooksOf } from './hooks.ts';
import { type RunningWebhooks, startWebhooks } from './webhooks-world.ts';

const ADDRESS = { url: 'https://example.com' };

describe('POST /webhooks where there are many endpoints already', () => {
  let world: RunningWebhooks;

  beforeAll(async () => {
    world = await startWebhooks();
  });

  afterAll(() => world.stop());

  it('422 beyond as many as there may be, also of those created at once; deleted ones do not count', async () => {
    const hooks = hooksOf(world, uniqueTenantId());
    const post = () => hooks.send('POST', '', { url: ADDRESS.url, events: ['call.ended'] });
    for (let count = 0; count < MAX_ENDPOINTS - 2; count += 1) await hooks.create(ADDRESS);

    const answers = await Promise.all(Array.from({ length: 8 }, post));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 422, 422, 422, 422, 422, 422,
    ]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'validation_failed',
      errors: { url: ['There are already 100 endpoints, the most allowed. Delete one first.'] },
    });
    const { data } = (await hooks.send('GET', '')).body;
    expect(data).toHaveLength(MAX_ENDPOINTS);

    await hooks.send('DELETE', `/${data[0].id}`);
    expect([(await post()).status, (await post()).status]).toEqual([201, 422]);
    await hooksOf(world, uniqueTenantId()).create(ADDRESS);
  });
});
