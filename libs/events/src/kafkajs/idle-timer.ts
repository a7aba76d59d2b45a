import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

let isQuiet = false;

/**
 * kafkajs 2.2.4 re-arms a timer of 1 ms on every connection, also when nothing is waiting to be sent: about 5 % of a
 * core for each idle connection, and a TimeoutNegativeWarning. The timer serves only requests held back by the
 * in-flight limit or by the broker's throttling, so it is armed only while there are any.
 *
 * It can go once https://github.com/tulios/kafkajs/issues/1556 is closed.
 */
export function quietIdleTimer(): void {
  if (isQuiet) return;
  isQuiet = true;
  const schedule = RequestQueue.prototype.scheduleCheckPendingRequests;
  RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleOnlyWhenNeeded() {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
}
