/** How many deliveries a claim may bring: of those that are named so many, of others as many as `perTenant` and `perEndpoint` say. */
export interface ClaimLimits {
  perTenant: number;
  perEndpoint: number;
  /** Tenant id → of all its endpoints, and of each that is not named. */
  tenants: ReadonlyMap<number, { all: number; perEndpoint: number }>;
  endpoints: ReadonlyMap<number, number>;
  /** Tenants that may have no more of some endpoint, or nothing more at all. */
  full: ReadonlySet<number>;
}

/** Most deliveries of one endpoint in the queue for a replay or a release to add more: new events must not wait behind a long queue. */
export const MAX_IN_QUEUE = 500;
/** Time until an endpoint whose queue is full is looked at again. */
export const PATIENCE_MS = 1_000;
