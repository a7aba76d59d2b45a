import { createCircuit } from './circuit.ts';

function world() {
  let nowMs = 1_000_000;
  const circuit = createCircuit({ now: () => nowMs });
  const fail = (times: number) => {
    for (let i = 0; i < times; i += 1) circuit.fail();
  };
  return { circuit, fail, pass: (ms: number) => (nowMs += ms) };
}

it('rests after five failures in a row, and not when one call in between succeeded', () => {
  const { circuit, fail } = world();
  fail(4);
  circuit.succeed();
  fail(4);
  expect(circuit.openForMs()).toBe(0);
  fail(1);
  expect(circuit.openForMs()).toBe(1_000);
});

it('is tried by one call a second, until one succeeds', () => {
  const { circuit, fail, pass } = world();
  fail(5);
  pass(999);
  expect(circuit.openForMs()).toBe(1);
  pass(1);
  expect(circuit.openForMs()).toBe(0);
  circuit.begin();
  expect(circuit.openForMs()).toBe(1_000);
  circuit.fail();
  pass(1_000);
  circuit.begin();
  circuit.succeed();
  expect(circuit.openForMs()).toBe(0);
});

it('a call that was under way before, and fails late, prolongs nothing', () => {
  const { circuit, fail, pass } = world();
  fail(5);
  pass(600);
  fail(3);
  expect(circuit.openForMs()).toBe(400);
});

it('is doubtful for a second after a failure', () => {
  const { circuit, pass } = world();
  expect(circuit.isDoubtful()).toBe(false);
  circuit.fail();
  expect(circuit.isDoubtful()).toBe(true);
  pass(1_000);
  expect(circuit.isDoubtful()).toBe(false);
});
