import { setImmediate as immediate } from 'node:timers/promises';
import { createCallQueue } from './call-queue.ts';

function world(places: number) {
  let nowMs = 1_000_000;
  const queue = createCallQueue({ places, now: () => nowMs });
  const started: string[] = [];
  const entered = (name: string) => {
    const start = () => void started.push(name);
    queue.enter(start);
    return start;
  };
  return { queue, started, entered, pass: (ms: number) => (nowMs += ms) };
}

it('starts as many as there are places, and the others in their order as places come free', async () => {
  const { queue, started, entered } = world(2);
  for (const name of ['a', 'b', 'c', 'd']) entered(name);
  expect([started, queue.size()]).toEqual([['a', 'b'], 4]);
  queue.ended({ isAnswered: false });
  await immediate();
  expect([started, queue.size()]).toEqual([['a', 'b', 'c'], 3]);
});

it('who leaves the queue is never started, and who was started is in it no more', async () => {
  const { queue, started, entered } = world(1);
  const [first, second] = [entered('a'), entered('b'), entered('c')];
  expect([queue.leave(first), queue.leave(second), queue.size()]).toEqual([false, true, 2]);
  queue.ended({ isAnswered: false });
  await immediate();
  expect(started).toEqual(['a', 'c']);
});

it('a long queue of calls that fail at once runs empty', async () => {
  const queue = createCallQueue({ places: 1 });
  queue.enter(() => {});
  for (let i = 0; i < 10_000; i += 1) queue.enter(() => queue.ended({ isAnswered: false }));
  queue.ended({ isAnswered: false });
  while (queue.size() > 0) await immediate();
});

it('says for how long it has waited without any answer, also after clients gave up', async () => {
  const { queue, entered, pass } = world(2);
  expect(queue.silentMs()).toBe(0);
  entered('a');
  pass(100);
  entered('b');
  entered('c');
  queue.ended({ isAnswered: false });
  await immediate();
  queue.ended({ isAnswered: false });
  pass(100);
  expect(queue.silentMs()).toBe(200);
  queue.answered();
  pass(50);
  expect(queue.silentMs()).toBe(0);
});

it('nothing is waited for while answers are on their way: what waits is held up by who takes them', () => {
  const { queue, entered, pass } = world(1);
  entered('a');
  queue.answered();
  entered('b');
  pass(60_000);
  expect(queue.silentMs()).toBe(0);
});

it('starts all that wait at once where each goes to another address', async () => {
  const { queue, started, entered } = world(1);
  for (const name of ['a', 'b', 'c']) entered(name);
  queue.startAll();
  expect([started, queue.size()]).toEqual([['a', 'b', 'c'], 3]);
  for (let i = 0; i < 3; i += 1) queue.ended({ isAnswered: false });
  expect([queue.size(), queue.silentMs()]).toEqual([0, 0]);
  entered('d');
  await immediate();
  expect(started.at(-1)).toBe('d');
});
