import { APPOINTMENT_OPERATIONS } from './appointments.ts';
import { BUSINESS_OPERATIONS } from './business.ts';
import { CALL_OPERATIONS } from './calls.ts';
import { CUSTOMER_OPERATIONS } from './customers.ts';
import { EVENT_OPERATIONS } from './events.ts';
import type { Operation } from './operation.ts';
import { SERVICE_OPERATIONS, STAFF_OPERATIONS } from './staff-and-services.ts';

export {
  type Deprecation,
  errorsOf,
  type Operation,
  RESOURCE_MEANINGS,
  RESOURCES,
  type Resource,
} from './operation.ts';

/** All that API v1 does. The documentation and the machine-readable description are made from this. */
export const OPERATIONS: readonly Operation[] = [
  ...APPOINTMENT_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...CALL_OPERATIONS,
  ...STAFF_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...BUSINESS_OPERATIONS,
  ...EVENT_OPERATIONS,
];
