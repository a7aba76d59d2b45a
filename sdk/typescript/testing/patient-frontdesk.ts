import { runFrontdesk } from '../src/cli/program.ts';
import { LONG_BOUNDS } from './long-bounds.ts';

process.exitCode = await runFrontdesk(process.argv.slice(2), LONG_BOUNDS);
