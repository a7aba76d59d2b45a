/**
 * Takes items together. Where they are refused for good, they are tried in halves, down to the item that is refused alone: it is set
 * aside, and all others are taken, in order. One bad item among n costs about 2 log₂ n tries.
 * @param steps.take takes these; returns why they can never be taken together, null once they are
 * @param steps.setAside is given an item that is refused alone, and why, in its place in the order
 * @param steps.mayGoOn asked before each try and before an item is set aside; the rest is left alone once it says no
 * @throws whatever a step throws: a passing fault. What comes before it is settled, the rest untouched
 */
export async function bisect<Item, Reason>(
  items: readonly Item[],
  steps: {
    take: (items: Item[]) => Promise<Reason | null>;
    setAside: (item: Item, reason: Reason) => Promise<void> | void;
    mayGoOn?: () => boolean;
  },
): Promise<void> {
  const { take, setAside, mayGoOn = () => true } = steps;
  /** What is left, the next part last. */
  const parts = items.length > 0 ? [items.slice()] : [];
  while (mayGoOn()) {
    const part = parts.pop();
    if (!part) return;
    const reason = await take(part);
    if (reason === null) continue;
    const middle = Math.floor(part.length / 2);
    if (!mayGoOn()) return;
    if (part.length === 1) await setAside(part[0] as Item, reason);
    else parts.push(part.slice(middle), part.slice(0, middle));
  }
}
