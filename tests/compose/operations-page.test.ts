import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../e2e/support/api.ts';
import { createBusiness, createCustomer } from '../e2e/support/business.ts';
import { runCommand } from '../e2e/support/command.ts';
import { openTarget } from '../e2e/support/target.ts';
import { documentedBlocks, PAGES } from '../support/documented-commands.ts';
import { eventually } from '../support/index.ts';

/** replaced-while-running.test.ts runs these, while requests are answered. */
const RUN_ELSEWHERE = ['Replacing an identity key', 'A service’s passwords', 'The administrators’ passwords'];
const ROOT = join(import.meta.dirname, '..', '..');

const isRestore = ({ heading }: { heading: string }) => heading === 'Restore';

/** The new customers behind a cursor, the first one first. */
async function feed(api: Api, after?: string): Promise<{ names: string[]; next: string }> {
  const behind = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
  const answer = await api<{ data: { name: string } }[]>('GET', `/events?types=customer.created${behind}`);
  const { meta } = answer.body as unknown as { meta: { next_cursor: string } };
  return { names: answer.data().map(({ data }) => data.name), next: meta.next_cursor };
}

describe('the page for operators', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'operations-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const run = async (heading: string, commands: string) => {
    // Other tests have left endpoints and events behind.
    const script = commands.replace(/^(.* admin status.*)$/gm, '$1 || test $? = 3');
    const { code, stderr } = await runCommand(['sh', '-eux', '-c', script], {
      env: { ...process.env, COMPOSE_FILE: join(ROOT, 'docker-compose.yml') },
      cwd: directory,
    });
    expect([heading, code, code === 0 ? '' : stderr]).toEqual([heading, 0, '']);
  };

  it('has commands for containers that do what they say, from top to bottom, and restores what it backed up', async () => {
    const blocks = PAGES.flatMap(documentedBlocks).filter(({ isOfCompose }) => isOfCompose);
    const headings = blocks.map(({ heading }) => heading);
    expect(headings).toEqual(expect.arrayContaining([...RUN_ELSEWHERE, 'Back up', 'Restore']));
    const here = blocks.filter(({ heading }) => !RUN_ELSEWHERE.includes(heading));
    const { api } = await createBusiness(await openTarget(), 'Restored');
    await createCustomer(api, 'Before Backup', '+49 30 901820');
    const begin = await eventually(async () => {
      const read = await feed(api);
      expect(read.names).toEqual(['Before Backup']);
      return read;
    });

    for (const block of here.filter((one) => !isRestore(one))) await run(block.heading, block.commands);
    expect((await api('GET', '/customers')).body).toMatchObject({ meta: { total: 1 } });

    await createCustomer(api, 'After Backup', '+49 30 901821');
    const beyond = await eventually(async () => {
      const read = await feed(api, begin.next);
      expect(read.names).toEqual(['After Backup']);
      return read;
    });
    for (const block of here.filter(isRestore)) await run(block.heading, block.commands);

    await eventually(async () =>
      expect((await api('GET', '/customers')).body).toMatchObject({ data: [{ name: 'Before Backup' }] }),
    );
    await createCustomer(api, 'After Restore', '+49 30 901822');
    await eventually(async () => expect((await feed(api, beyond.next)).names).toEqual(['After Restore']));
  });
});
