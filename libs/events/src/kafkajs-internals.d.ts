/** What is touched of kafkajs's insides: see quiet-idle-timer.ts and kafka-access.ts. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  export default class RequestQueue {
    pending: unknown[];
    throttledUntil: number;
    scheduleCheckPendingRequests: (this: RequestQueue) => void;
  }
}

declare module 'kafkajs/src/broker/saslAuthenticator/scram512.js' {
  export default function scram512(login: {
    username: string;
    password: string;
  }): import('kafkajs').Mechanism['authenticationProvider'];
}
