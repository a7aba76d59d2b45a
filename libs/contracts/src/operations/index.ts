import { appointmentOperations } from './appointments.ts';
import { businessOperations } from './business.ts';
import { callOperations } from './calls.ts';
import { customerOperations } from './customers.ts';
import { eventOperations } from './events.ts';
import { holdOperations } from './holds.ts';
import type { Operation } from './operation.ts';
import { serviceOperations, staffOperations } from './staff-and-services.ts';
import { webhookOperations } from './webhooks.ts';

export {
  type Deprecation,
  errorsOf,
  type Operation,
  RESOURCE_MEANINGS,
  RESOURCES,
  type Resource,
} from './operation.ts';

export { idInPath, type ParamsIn, pathTo, patternOf, type Route } from './route.ts';

/** All that API v1 does. The routes are made from this, and so are the documentation and the machine-readable description. */
export const operations = {
  ...appointmentOperations,
  ...holdOperations,
  ...customerOperations,
  ...callOperations,
  ...staffOperations,
  ...serviceOperations,
  ...businessOperations,
  ...eventOperations,
  ...webhookOperations,
};

export const OPERATIONS: readonly Operation[] = Object.values(operations);
