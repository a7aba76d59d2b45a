/** That a table's rows, or a value, are of the tenant: a number for each that a statement may say it of. */
export type Fact = number;

/** What follows from what in one statement. */
export interface Facts {
  /** Holds in any case. */
  readonly tenant: Fact;
  /** One more. Where `of` is given, it holds if all of these do, and is of the same tenant. */
  add(of?: readonly Fact[]): Fact;
  /** It holds also if all of these do. */
  follow(fact: Fact, of: readonly Fact[]): void;
  /** Both are of one tenant, whosever. */
  meet(one: Fact, other: Fact): void;
  haveMet(one: Fact, other: Fact): boolean;
  /** All that hold. */
  restricted(): Set<Fact>;
}

export function createFacts(): Facts {
  const rules: { fact: Fact; of: readonly Fact[] }[] = [];
  const groups: Fact[] = [0];
  const groupOf = (fact: Fact): Fact => {
    const group = groups[fact] ?? fact;
    return group === fact ? fact : groupOf(group);
  };
  const meet = (one: Fact, other: Fact) => {
    groups[groupOf(one)] = groupOf(other);
  };
  return {
    tenant: 0,
    add(of) {
      const fact = groups.length;
      groups.push(fact);
      if (of) rules.push({ fact, of });
      for (const each of of ?? []) meet(fact, each);
      return fact;
    },
    follow: (fact, of) => void rules.push({ fact, of }),
    meet,
    haveMet: (one, other) => groupOf(one) === groupOf(other),
    restricted() {
      const held = new Set<Fact>([0]);
      for (let size = 0; size !== held.size; ) {
        size = held.size;
        for (const { fact, of } of rules) if (of.every((each) => held.has(each))) held.add(fact);
      }
      return held;
    },
  };
}
