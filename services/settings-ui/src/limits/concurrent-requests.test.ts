import { get } from 'node:http';
import { type App, createApp, createLogger, createMetrics } from '@frontdesk/service';
import { limitConcurrentRequests } from './concurrent-requests.ts';

const AT_ONCE = 8;
const WAITING = 60;
const EXPENSIVE_AT_ONCE = 4;
const [TENANT, NEIGHBOUR] = [1, 2];

let app: App;
/** Requests that have got as far as the line, and those whose client has gone. */
let counts: { arrived: number; gone: number };
/** What handlers have begun, by name: each ends when its promise does. */
let begun: Map<string, PromiseWithResolvers<string>>;
let atWork: { now: number; most: number };

beforeEach(async () => {
  // No wait comes to its end, however slow the machine is.
  jest.useFakeTimers({
    doNotFake: [
      ...(['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval'] as const),
      ...(['clearInterval', 'Date', 'performance', 'hrtime'] as const),
    ],
  });
  counts = { arrived: 0, gone: 0 };
  begun = new Map();
  atWork = { now: 0, most: 0 };
  app = createApp({ logger: createLogger({ name: 'test', level: 'silent' }), metrics: createMetrics() });
  app.decorateRequest('tenantId');
  app.addHook('onRequest', async (request, { raw }) => {
    request.tenantId = Number(request.headers['x-tenant']);
    raw.once('close', () => {
      if (!raw.writableFinished) counts.gone += 1;
    });
  });
  app.addHook('preHandler', async () => {
    counts.arrived += 1;
  });
  limitConcurrentRequests(app);
  const work = async (name: string) => {
    const ending = Promise.withResolvers<string>();
    begun.set(name, ending);
    atWork.now += 1;
    atWork.most = Math.max(atWork.most, atWork.now);
    try {
      return await ending.promise;
    } finally {
      atWork.now -= 1;
    }
  };
  app.get('/page/:name', async ({ params }) => work((params as { name: string }).name));
  app.get('/form/:name', async ({ params }, reply) => {
    await work((params as { name: string }).name);
    return reply.redirect('/page/other', 303);
  });
  app.get('/expensive/:name', { config: { isExpensive: true } }, async ({ params }) =>
    work((params as { name: string }).name),
  );
  app.get('/quick', async () => 'quick');
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  jest.useRealTimers();
  app.server.closeAllConnections();
  for (const { resolve } of begun.values()) resolve('');
  await app.close();
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

/** Over a connection of its own, which `leave` cuts; `answer` is its status. */
function ask(path: string, tenant = TENANT) {
  const request = get(`${app.listeningOrigin}${path}`, { agent: false, headers: { 'x-tenant': tenant } });
  const answer = new Promise<number>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
  });
  answer.catch(() => {});
  return { answer, leave: () => void request.destroy() };
}

/** The same in the order given: each is at work or in the line before the next is sent. */
async function askEach(paths: readonly string[]) {
  const asked: ReturnType<typeof ask>[] = [];
  for (const path of paths) {
    const before = counts.arrived;
    asked.push(ask(path));
    await until(() => counts.arrived > before);
  }
  return asked;
}

const named = (count: number, path: string) => Array.from({ length: count }, (_, n) => `${path}${n}`);
const leaveAll = async (asked: readonly ReturnType<typeof ask>[]) => {
  const before = counts.gone;
  for (const { leave } of asked) leave();
  await until(() => counts.gone === before + asked.length);
};
const end = (name: string) => begun.get(name)?.resolve('done');

it.each([
  ['a page', '/page/', end],
  ['a redirection', '/form/', end],
  ['a failure', '/page/', (name: string) => begun.get(name)?.reject(new Error('It failed.'))],
])(
  'a request whose client has gone keeps its place until the work on it ends, in %s',
  async (_what, path, finish) => {
    const asked = await askEach([...named(AT_ONCE, `${path}gone`), '/page/next', '/page/last']);
    await leaveAll(asked.slice(0, AT_ONCE));
    // Whatever would begin has begun once another request has its answer.
    expect(await ask('/quick', NEIGHBOUR).answer).toBe(200);
    expect([...begun.keys()]).toEqual(named(AT_ONCE, 'gone'));

    finish('gone5');
    await until(() => begun.has('next'));
    expect(await ask('/quick', NEIGHBOUR).answer).toBe(200);
    expect(begun.has('last')).toBe(false);
    finish('gone0');
    await until(() => begun.has('last'));
    end('next');
    end('last');
    expect(await Promise.all(asked.slice(AT_ONCE).map(({ answer }) => answer))).toEqual([200, 200]);
    expect(atWork.most).toBe(AT_ONCE);
  },
);

it('a request whose client goes while it waits leaves the line: another one may wait, and nobody works on it', async () => {
  const asked = await askEach([...named(AT_ONCE, '/page/first'), ...named(WAITING, '/page/waiting')]);
  expect(await ask('/page/refused').answer).toBe(429);
  await leaveAll(asked.slice(AT_ONCE + 7, AT_ONCE + 8));
  const [late] = await askEach(['/page/late']);
  let lateStatus = 0;
  const lateAnswer = late?.answer.then((status) => {
    lateStatus = status;
  });
  expect(await ask('/page/refused').answer).toBe(429);
  expect(lateStatus).toBe(0);

  const names = [...named(AT_ONCE, 'first'), ...named(WAITING, 'waiting').toSpliced(7, 1), 'late'];
  for (const name of names) {
    await until(() => begun.has(name));
    end(name);
  }
  await lateAnswer;
  expect(lateStatus).toBe(200);
  expect([...begun.keys()]).toEqual(names);
  expect(atWork.most).toBe(AT_ONCE);
});

it('an expensive page whose client has gone counts among four until it is made', async () => {
  await leaveAll(await askEach(named(EXPENSIVE_AT_ONCE, '/expensive/gone')));
  expect(await ask('/expensive/refused').answer).toBe(429);
  end('gone2');
  await until(() => atWork.now === EXPENSIVE_AT_ONCE - 1);
  const [next] = await askEach(['/expensive/next']);
  await until(() => begun.has('next'));
  end('next');
  expect(await next?.answer).toBe(200);
});
