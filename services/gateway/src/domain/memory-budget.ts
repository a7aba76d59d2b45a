/** What one body holds of the budget. */
export interface Share {
  /** Holds so many bytes more, or none of them where that is too much. */
  hold(bytes: number): boolean;
  /** From now on nobody takes it away: the body is whole. */
  settle(): void;
  /** Gives everything back; it may be said twice. */
  release(): void;
  /** Called when everything was taken away, for somebody who holds less. */
  onEvicted: () => void;
}

export interface MemoryBudget {
  /** For somebody by whatever tells them from others. */
  open(holder: Holder): Share;
  /** Bytes that all bodies hold at the moment. */
  held(): number;
}

interface Limits {
  totalBytes: number;
  /** Most that one holder gets. */
  holderBytes: number;
  /** So much of the total is only for bodies of up to so many bytes. */
  reserve?: { bytes: number; upToBytes: number };
}

type Holder = number | string;

interface Body {
  holder: Holder;
  bytes: number;
  isWhole: boolean;
  share: Share;
}

/**
 * A bound to what all bodies hold together, of which no holder gets more than its part. When all is taken, whoever would
 * hold less gets room from those who hold most, out of bodies that are still on their way: however many come with bodies
 * that they never finish, anyone else gets as much as each of them has.
 */
export function createMemoryBudget(limits: Limits): MemoryBudget {
  const { totalBytes, holderBytes, reserve = { bytes: 0, upToBytes: 0 } } = limits;
  const bodies = new Set<Body>();
  const byHolder = new Map<Holder, number>();
  let total = 0;

  const change = (body: Body, bytes: number) => {
    const held = heldBy(body.holder) + bytes;
    total += bytes;
    body.bytes += bytes;
    if (held === 0) byHolder.delete(body.holder);
    else byHolder.set(body.holder, held);
    if (body.bytes === 0) bodies.delete(body);
    else bodies.add(body);
  };
  const heldBy = (holder: Holder) => byHolder.get(holder) ?? 0;

  /** Bodies to take so many bytes from, all of holders with more than `fairBytes`; none where they don't suffice. */
  const victimsFor = (bytes: number, fairBytes: number): Body[] => {
    const left = new Map(byHolder);
    const victims = new Set<Body>();
    for (let missing = bytes; missing > 0; ) {
      const victim = largest(bodies, left, victims);
      const held = victim ? (left.get(victim.holder) ?? 0) : 0;
      if (!victim || held <= fairBytes) return [];
      victims.add(victim);
      left.set(victim.holder, held - victim.bytes);
      missing -= victim.bytes;
    }
    return [...victims];
  };

  const release = (body: Body) => change(body, -body.bytes);

  return {
    held: () => total,
    open(holder) {
      const share: Share = {
        hold(bytes) {
          const held = heldBy(holder) + bytes;
          if (held > holderBytes) return false;
          const isSmall = body.bytes + bytes <= reserve.upToBytes;
          const limit = isSmall ? totalBytes : totalBytes - reserve.bytes;
          for (const victim of victimsFor(total + bytes - limit, held)) {
            release(victim);
            victim.share.onEvicted();
          }
          if (total + bytes > limit) return false;
          change(body, bytes);
          return true;
        },
        settle() {
          body.isWhole = true;
        },
        release: () => release(body),
        onEvicted() {},
      };
      const body: Body = { holder, bytes: 0, isWhole: false, share };
      return share;
    },
  };
}

/** The largest unfinished body of whoever has most left. */
function largest(bodies: Set<Body>, left: Map<Holder, number>, taken: Set<Body>): Body | null {
  let found: Body | null = null;
  for (const body of bodies) {
    if (body.isWhole || taken.has(body)) continue;
    const lead = found ? (left.get(body.holder) ?? 0) - (left.get(found.holder) ?? 0) : 1;
    if (!found || lead > 0 || (lead === 0 && body.bytes > found.bytes)) found = body;
  }
  return found;
}
