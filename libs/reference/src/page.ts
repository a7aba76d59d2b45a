import type { ExampleRecords } from './examples/example-command.ts';

export const SECTIONS = ['Guides', 'Operations', 'Records', 'Events', 'Errors'] as const;

/** Who reads: everybody, or an admin whose own values the examples name. */
export interface Reader {
  /** The gateway as integrators reach it, without a slash at its end. */
  url: string;
  records: ExampleRecords;
  /** Null for everybody. In the settings: the name of a key that can be used, if there is one. */
  settings: { keyName: string | null } | null;
}

export interface Page {
  /** Beneath the documentation's address, for example `errors/not_found`; the start page is `index`. */
  path: string;
  section: (typeof SECTIONS)[number];
  title: string;
  /** One line of plain text. */
  summary: string;
  /** It names what is the reader's own. */
  isPersonal: boolean;
  /** The whole page. Links to other pages are relative and end in `.md`. */
  markdown(reader: Reader): string;
}

/** The page where everything begins. */
export const START = 'index';
