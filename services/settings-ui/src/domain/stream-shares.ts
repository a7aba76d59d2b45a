import type { Session } from './session.ts';

/** Streams of one process. Each of them asks the webhooks service every second. */
const MOST = 100;
/** So that a few who leave pages open everywhere keep nobody else out. */
const MOST_OF_TENANT = 20;
const MOST_OF_SESSION = 5;

export interface StreamShares {
  /** A place for one stream, and how it is given back; null where there is none. */
  take(session: Pick<Session, 'tenantId' | 'token'>): (() => void) | null;
}

export function createStreamShares(): StreamShares {
  const taken = new Map<string, number>();
  const add = (share: string, count: number) => {
    const now = (taken.get(share) ?? 0) + count;
    if (now === 0) taken.delete(share);
    else taken.set(share, now);
  };

  return {
    take({ tenantId, token }) {
      const limits = {
        all: MOST,
        [`tenant ${tenantId}`]: MOST_OF_TENANT,
        [`session ${token}`]: MOST_OF_SESSION,
      };
      const shares = Object.keys(limits);
      if (Object.entries(limits).some(([share, most]) => (taken.get(share) ?? 0) >= most)) return null;
      for (const share of shares) add(share, 1);
      return () => {
        for (const share of shares) add(share, -1);
      };
    },
  };
}
