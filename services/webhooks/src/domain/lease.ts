/** A body in memory: its bytes count from the first delivery that holds it to the last. */
export interface HeldBody {
  readonly bytes: number;
  holders: number;
}

/** How many deliveries a claim may bring: of an endpoint and of a tenant that is named so many, of others `perEndpoint`. */
export interface ClaimLimits {
  perEndpoint: number;
  endpoints: ReadonlyMap<number, number>;
  tenants: ReadonlyMap<number, number>;
}
