import { join } from 'node:path';

/** The styles that the public documentation and the settings pages share. */
export const LOOK_FILE = join(import.meta.dirname, '..', '..', 'look.css');
