/** Most deliveries of one endpoint in the queue for a replay or a release to add more: new events must not wait behind a long queue. */
export const MAX_IN_QUEUE = 500;
/** Time until an endpoint whose queue is full is looked at again. */
export const PATIENCE_MS = 1_000;
