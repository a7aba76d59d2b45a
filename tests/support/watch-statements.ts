import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Declared, openReader } from '../../scripts/statements/declared.ts';
import { readSchema } from '../../scripts/statements/schema.ts';

/** As TypeORM writes statements about rows. */
const OF_ENTITIES = /^(SELECT|INSERT INTO|UPDATE|DELETE FROM) .*"/s;

/** What came of each text, for all files of a worker: most of them have the same. */
const faultsByText = new Map<string, string[]>();
let opened: ReturnType<typeof openReader> | undefined;

/**
 * Notes the statements that a test file declares, lists' included, and those that TypeORM sends for it. What tests and tools hand to
 * PostgreSQL's client by its own API is not among them.
 */
export function watchStatements() {
  const statements = new Map<string, Declared>();
  const ofEntities = new Set<string>();
  const onStatement = (message: unknown) => {
    const statement = message as Declared;
    statements.set(`${statement.kind} ${statement.name} ${statement.text}`, statement);
  };
  const onQuery = (text: unknown) => {
    if (typeof text === 'string' && OF_ENTITIES.test(text)) ofEntities.add(text);
  };
  subscribe('frontdesk:statement', onStatement);
  subscribe('frontdesk:query', onQuery);
  return {
    /** @returns what of them reaches other tenants' rows */
    async stop(): Promise<string[]> {
      unsubscribe('frontdesk:statement', onStatement);
      unsubscribe('frontdesk:query', onQuery);
      if (statements.size === 0 && ofEntities.size === 0) return [];
      opened ??= readSchema().then(openReader);
      const { faultsOf, faultsOfEntities } = await opened;
      const read = (key: string, faults: () => string[]) =>
        faultsByText.getOrInsertComputed(key, () => unlessRefused(faults));
      return [
        ...[...statements].flatMap(([key, statement]) => read(key, () => faultsOf(statement))),
        ...[...ofEntities].flatMap((text) => read(text, () => faultsOfEntities(text))),
      ];
    },
  };
}

/** What PostgreSQL's parser refuses reaches nothing. */
function unlessRefused(faults: () => string[]): string[] {
  try {
    return faults();
  } catch (error) {
    if (error instanceof Error && error.name === 'SqlError') return [];
    return [String(error)];
  }
}
