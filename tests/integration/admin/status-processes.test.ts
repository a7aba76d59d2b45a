import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePortBase } from '../../e2e/support/local-system.ts';
import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import { eventually } from '../../support/index.ts';

type Answers = Record<string, { status: number; body: string }>;

const READY = { status: 200, body: '{"status":"ready"}' };
const METRICS = { status: 200, body: 'build_info{version="1.0.0"} 1\n' };

/** What the operator's command line says of a crm that answers so, and of nothing else. */
async function statusOf(answers: Answers) {
  const server = createServer(({ url = '' }, response) => {
    const { status, body } = answers[url] ?? { status: 404, body: '{}' };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  try {
    const operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      PORT_BASE: String(await freePortBase()),
      CRM_INTERNAL_URL: `http://127.0.0.1:${port}`,
    });
    const screen = (await operator.run(['status'])).stdout;
    return /^(.) +crm +\S+ +(.*?) {2}/m.exec(screen)?.slice(1);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

/** It says so of a process that answers in time: again where a busy machine was too slow for that. */
const expectStatus = (answers: Answers, shown: string[]) =>
  eventually(async () => expect(await statusOf(answers)).toEqual(shown));

describe('status: a process', () => {
  it('is ready, or says what it lacks', async () => {
    const lacking = { status: 503, body: '{"status":"not_ready","missing":["database"]}' };
    await expectStatus({ '/health/ready': READY, '/metrics': METRICS }, [' ', 'ready']);
    await expectStatus({ '/health/ready': lacking, '/metrics': METRICS }, ['!', 'not ready: database']);
  });

  it('needs somebody where it has lost a connection that it can be ready without', async () => {
    const body = [
      'engine_connected{engine="kafka",connection="group crm"} 0',
      'engine_connected{engine="postgresql",connection="pool"} 1',
      'engine_connected{engine="postgresql",connection="relay"} 0',
    ].join('\n');
    await expectStatus({ '/health/ready': READY, '/metrics': { status: 200, body } }, [
      '!',
      'ready; not connected: kafka (group crm), postgresql (relay)',
    ]);
  });

  it.each([
    ['another program answers at its address', { '/metrics': METRICS }],
    ['it reports no metrics', { '/health/ready': READY, '/metrics': { status: 500, body: '{}' } }],
  ])('is away where %s', async (_what, answers) => {
    expect(await statusOf(answers)).toEqual(['!', 'away']);
  });
});
