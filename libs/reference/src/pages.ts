import { errorPages } from './error-pages.ts';
import { eventPages } from './event-pages.ts';
import { guidePages } from './guides.ts';
import { operationPages } from './operation-pages.ts';
import type { Page } from './page.ts';
import { recordPages } from './record-pages.ts';

/** The whole documentation for integrators, from the contract and the guides. */
export const createPages = (): readonly Page[] => [
  ...guidePages(),
  ...operationPages(),
  ...recordPages(),
  ...eventPages(),
  ...errorPages(),
];
