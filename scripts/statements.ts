import { ambiguousNames, openReader, placeOf, readDeclared } from './statements/declared.ts';
import { readSchema } from './statements/schema.ts';

/**
 * `node scripts/statements.ts`: every statement that the libraries and services declare, with its tables. Fails where one reaches
 * rows of another tenant, or where two have one name.
 */
const declared = await readDeclared();
const { faultsOf, tablesOf } = await openReader(await readSchema());
const faults = [...declared.flatMap(faultsOf), ...ambiguousNames(declared)];
for (const { kind, name, text, file } of declared)
  console.log([placeOf(file), kind, name, tablesOf(text).join(', ')].join('\t'));
console.log(`${declared.length} statements read`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
