import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';

// Halves the time of every command but the first. Where it can't be written, commands run without it.
enableCompileCache(join(REPOSITORY, '.local', 'compile-cache-admin'));
await import('./program.ts');
