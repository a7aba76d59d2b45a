import { EVENT_EXAMPLES } from '../generated/event-examples.ts';
import type { FeedEvent } from '../types.ts';
import { WrongUse } from './exit-codes.ts';

/** The body of a delivery. */
export interface Payload {
  id: string;
  event: string;
  created_at: string;
  sequence: number;
  test?: boolean;
  data: object;
}

interface KnownEvent {
  name: string;
  meaning: string;
  example: Payload;
}

const BY_NAME = new Map<string, KnownEvent>();
for (const event of EVENT_EXAMPLES) {
  for (const name of [event.name, ...event.aliases]) BY_NAME.set(name, event);
}

/** The event of this name, which may be one of its other names. @throws WrongUse */
export function eventNamed(name: string): KnownEvent {
  const event = BY_NAME.get(name);
  if (event) return event;
  throw new WrongUse(
    `There is no event ${JSON.stringify(name)}. There are: ${[...BY_NAME.keys()].join(', ')}.`,
  );
}

/** The events of an endpoint that subscribes to certain names, and the name under which a delivery has each event. */
export interface Selection {
  /** The feed's `types`; undefined: all. */
  types: string | undefined;
  nameOf(event: string): string;
  /** The name under which an event that is asked for by any of its names is delivered. @throws WrongUse where it is not selected */
  nameFor(asked: string): string;
}

/** @param names separated by commas @throws WrongUse */
export function selectionOf(names: string | undefined): Selection {
  if (names === undefined) return { types: undefined, nameOf: (event) => event, nameFor: (asked) => asked };
  const given = new Set(names.split(',').map((name) => name.trim()));
  const deliveredAs = new Map<string, string>();
  for (const name of given) {
    const { name: own } = eventNamed(name);
    deliveredAs.set(own, given.has(own) ? own : name);
  }
  return {
    types: [...deliveredAs.keys()].join(','),
    nameOf: (event) => deliveredAs.get(event) ?? event,
    nameFor(asked) {
      const name = deliveredAs.get(eventNamed(asked).name);
      if (name !== undefined) return name;
      throw new WrongUse(
        `This listener takes only ${[...deliveredAs.values()].join(', ')}. Start one whose --events has ${asked}.`,
      );
    },
  };
}

/** The body that an endpoint would get for an event of the feed. */
export function payloadOf({ cursor: _cursor, ...event }: FeedEvent, name: string): Payload {
  return { ...event, event: name };
}

export const examples = (): Payload[] => EVENT_EXAMPLES.map(({ example }) => example);

/** Name and meaning, a line each. */
export function eventLines(): string[] {
  const width = Math.max(...EVENT_EXAMPLES.map(({ name }) => name.length));
  return EVENT_EXAMPLES.map(({ name, aliases, meaning }) => {
    const others = aliases.length > 0 ? ` (also ${aliases.join(', ')})` : '';
    return `  ${name.padEnd(width)}  ${meaning}${others}`;
  });
}
