import type { SystemScope } from '@frontdesk/database';

/** The same scope; `answered` has every answer, and what was asked with, before the asker gets it. */
export function watched(
  system: SystemScope,
  answered: (statement: string, answer: unknown, args: readonly unknown[]) => unknown,
): SystemScope {
  const after = (method: 'many' | 'one' | 'run') =>
    (async (...[statement, ...args]: Parameters<SystemScope['run']>) => {
      const answer = await system[method](statement, ...args);
      await answered(statement.name, answer, args);
      return answer;
    }) as never;
  return { ...system, many: after('many'), one: after('one'), run: after('run') };
}
