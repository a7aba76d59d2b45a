import type { ExampleRecords } from './examples/example-command.ts';

export const SECTIONS = ['Guides', 'Operations', 'Records', 'Events', 'Errors'] as const;

/** Who reads: everybody, or an admin whose own values the examples name. */
export interface Reader {
  /** The gateway as integrators reach it, without a slash at its end. */
  url: string;
  records: ExampleRecords;
  /** Null for everybody. */
  settings: SettingsReader | null;
}

/** Who reads in the settings. */
interface SettingsReader {
  /** Of a key that can be used; null where there is none, and undefined where they can’t see the keys. */
  keyName: string | null | undefined;
  /** Whether they may open a page of the settings. */
  mayOpen: (address: string) => boolean;
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
