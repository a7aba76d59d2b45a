import { areaHint } from './test/area-of.ts';
import { ONE_FAILURE, summaryOf } from './test/count-tests.ts';
import { runTests } from './test/run-tests.ts';

/** `npm test [-- arguments of jest]`: the last line says `N passed, N failed`, and only an exit code of 0 means that all did. */
const args = process.argv.slice(2);
const hint = areaHint(args);
if (hint !== null) console.error(hint);
const counts = hint === null ? await runTests(args) : ONE_FAILURE;
console.log(summaryOf(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
