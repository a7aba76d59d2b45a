#!/usr/bin/env node
import { runFrontdesk } from './program.ts';

process.exitCode = await runFrontdesk(process.argv.slice(2));
