import { createLogger } from '@frontdesk/service';

/** Says nothing: a test that is about what is logged brings its own. */
export const logger = createLogger({ name: 'test', level: 'silent' });
