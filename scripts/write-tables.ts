import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsRoutesTable } from './documents/settings-routes.ts';
import { withTable } from './documents/tables.ts';
import { variableTables } from './documents/variables.ts';
import { REPOSITORY } from './repository.ts';

/** `npm run -s write-tables`: writes what `config.ts` of the services and the routes of the settings say into the documents. */
const tables = [...variableTables(), ['docs/settings.md', await settingsRoutesTable()] as const];
for (const [path, table] of tables) {
  const file = join(REPOSITORY, path);
  await writeFile(file, withTable(await readFile(file, 'utf8'), table));
}
