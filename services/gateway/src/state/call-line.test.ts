import { setImmediate as immediate } from 'node:timers/promises';
import { createCallLine } from './call-line.ts';

function world(places: number) {
  let nowMs = 1_000_000;
  const line = createCallLine({ places, now: () => nowMs });
  const started: string[] = [];
  const entered = (name: string) => {
    const start = () => void started.push(name);
    line.enter(start);
    return start;
  };
  return { line, started, entered, pass: (ms: number) => (nowMs += ms) };
}

it('starts as many as there are places, and the others in their order as places come free', async () => {
  const { line, started, entered } = world(2);
  for (const name of ['a', 'b', 'c', 'd']) entered(name);
  expect([started, line.size()]).toEqual([['a', 'b'], 4]);
  line.ended({ isAnswered: false });
  await immediate();
  expect([started, line.size()]).toEqual([['a', 'b', 'c'], 3]);
});

it('who leaves the line is never started, and who was started is in it no more', async () => {
  const { line, started, entered } = world(1);
  const [first, second] = [entered('a'), entered('b'), entered('c')];
  expect([line.leave(first), line.leave(second), line.size()]).toEqual([false, true, 2]);
  line.ended({ isAnswered: false });
  await immediate();
  expect(started).toEqual(['a', 'c']);
});

it('a long line of calls that fail at once runs empty', async () => {
  const line = createCallLine({ places: 1 });
  line.enter(() => {});
  for (let i = 0; i < 10_000; i += 1) line.enter(() => line.ended({ isAnswered: false }));
  line.ended({ isAnswered: false });
  while (line.size() > 0) await immediate();
});

it('says for how long it has waited without any answer, also after clients gave up', async () => {
  const { line, entered, pass } = world(2);
  expect(line.silentMs()).toBe(0);
  entered('a');
  pass(100);
  entered('b');
  entered('c');
  line.ended({ isAnswered: false });
  await immediate();
  line.ended({ isAnswered: false });
  pass(100);
  expect(line.silentMs()).toBe(200);
  line.answered();
  pass(50);
  expect(line.silentMs()).toBe(0);
});

it('nothing is waited for while answers are on their way: what stands in line is held up by who takes them', () => {
  const { line, entered, pass } = world(1);
  entered('a');
  line.answered();
  entered('b');
  pass(60_000);
  expect(line.silentMs()).toBe(0);
});
