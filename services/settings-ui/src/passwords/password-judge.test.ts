import { createPasswordJudge } from './password-judge.ts';

const TENANT = 1;
/** Takes up to half a second. */
const SLOW = 'P@ssw0rd'.repeat(8);

const judged = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const judge of opened.splice(0)) await judge.stop();
});
const open = (options?: Parameters<typeof createPasswordJudge>[0]) => {
  const judge = createPasswordJudge(options);
  opened.push(judge);
  return judge;
};

it('judges by the names too, and leaves the event loop to others meanwhile', async () => {
  const { judge } = open();
  const weak = await judge(TENANT, { password: 'Morgenrot1', names: ['Morgenrot'] });
  expect(weak).toMatchObject({ warning: 'userInputs' });
  let turns = 0;
  const spinning = setInterval(() => {
    turns += 1;
  });
  await judge(TENANT, { password: SLOW, names: [] });
  clearInterval(spinning);
  expect(turns).toBeGreaterThan(0);
  expect((await judge(TENANT, { password: 'three calm walruses', names: [] })).score).toBeGreaterThan(2);
});

it('503 for one that takes too long or whose thread fails; the next one is judged by another thread', async () => {
  const parent = "const { parentPort } = await import('node:worker_threads');";
  const hangs = judged(`${parent} parentPort.on('message', ({ password }) => {
    if (password === 'fails') throw new Error('failed');
    if (password !== 'hangs') parentPort.postMessage({ score: 4, warning: null });
  });`);
  const { judge } = open({ entry: hangs, withinMs: 1_000 });
  const away = { code: 'service_unavailable', headers: { 'retry-after': '1' } };
  for (const password of ['hangs', 'fails'])
    await expect(judge(TENANT, { password, names: [] })).rejects.toMatchObject(away);
  await expect(judge(TENANT, { password: 'fine', names: [] })).resolves.toMatchObject({ score: 4 });
});

it('503 where too many of one tenant wait; others are let in', async () => {
  const { judge } = open();
  const all = Array.from({ length: 8 }, () => judge(TENANT, { password: SLOW, names: [] }));
  const theirs = judge(TENANT + 1, { password: SLOW, names: [] });
  const settled = await Promise.allSettled(all);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  await expect(theirs).resolves.toMatchObject({ score: expect.any(Number) });
});

it('ends what is judged when it stops', async () => {
  const { judge, stop } = open();
  const failed = expect(judge(TENANT, { password: SLOW, names: [] })).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  await stop();
  await failed;
});
