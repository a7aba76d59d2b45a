/** The one class of kafkajs's insides that is touched; see idle-timer.ts. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  export default class RequestQueue {
    pending: unknown[];
    throttledUntil: number;
    scheduleCheckPendingRequests: (this: RequestQueue) => void;
  }
}
