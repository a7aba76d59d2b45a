import { eventually } from '../../support/index.ts';
import type { LocalSystem } from './local-system.ts';

const serviceOf = (system: LocalSystem, name: string) => system.services.find((one) => one.name === name);

/** Kills one service's process and waits until the supervisor has started another. */
export async function killAndAwaitReturn(system: LocalSystem, name: string): Promise<void> {
  const before = serviceOf(system, name)?.pid();
  expect(serviceOf(system, name)?.kill('SIGKILL')).toBe(true);
  await eventually(() => {
    const now = serviceOf(system, name)?.pid();
    expect(now).toBeDefined();
    expect(now).not.toBe(before);
  });
}
