import { summaryOf } from './test/count-tests.ts';
import { runTests } from './test/run-tests.ts';

/** `npm test [-- arguments of jest]`: the last line says `N passed, N failed`, and only an exit code of 0 means that all did. */
const counts = await runTests(process.argv.slice(2));
console.log(summaryOf(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
