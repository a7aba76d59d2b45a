import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFEST = join(import.meta.dirname, '..', '..', '..', '..', 'package.json');

/** The release that this process runs, for example `0.1.0`. */
export const VERSION = (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version;
