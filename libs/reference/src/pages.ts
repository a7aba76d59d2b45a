import type { Page } from './page.ts';
import { errorPages } from './pages/error-pages.ts';
import { eventPages } from './pages/event-pages.ts';
import { guidePages } from './pages/guides.ts';
import { operationPages } from './pages/operation-pages.ts';
import { projectPages } from './pages/project-pages.ts';
import { recordPages } from './pages/record-pages.ts';

/** The whole documentation for integrators, from the contract, the guides, and two documents of the project. */
export const createPages = (): readonly Page[] => [
  ...guidePages(),
  ...projectPages(),
  ...operationPages(),
  ...recordPages(),
  ...eventPages(),
  ...errorPages(),
];
