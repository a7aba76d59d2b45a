import { errorPages } from './error-pages.ts';
import { eventPages } from './event-pages.ts';
import { guidePages } from './guides.ts';
import { operationPages } from './operation-pages.ts';
import type { Page } from './page.ts';
import { projectPages } from './project-pages.ts';
import { recordPages } from './record-pages.ts';

/** The whole documentation for integrators, from the contract, the guides, and two documents of the project. */
export const createPages = (): readonly Page[] => [
  ...guidePages(),
  ...projectPages(),
  ...operationPages(),
  ...recordPages(),
  ...eventPages(),
  ...errorPages(),
];
