import type { Engines } from '@frontdesk/local-stack';
import type { OfferedSystem } from './shared-system.ts';

/** What the set-up leaves for the teardown: jest loads both in one process, but hands nothing from one to the other. */
export const testRun: {
  directory?: string;
  engines?: Engines;
  sharedSystem?: OfferedSystem;
  /** The PostgreSQL was there before this run, and stays. */
  databaseOutlivesRun?: boolean;
} = {};
