import { ALL_KEY_SCOPES, type KeyScope, READ_SCOPES } from './scopes.ts';

interface KeyPreset {
  name: string;
  meaning: string;
  scopes: readonly KeyScope[];
}

/** What kinds of programs need, by the name that is sent for it. */
export const KEY_PRESETS = {
  everything: {
    name: 'Everything',
    meaning: 'Reads and changes all records, erases customers and manages webhook endpoints.',
    scopes: ALL_KEY_SCOPES,
  },
  read_only: {
    name: 'Read only',
    meaning: 'Reads all records, transcripts too. Changes nothing.',
    scopes: [...READ_SCOPES, 'calls:transcripts', 'events:read'],
  },
  voice_agent: {
    name: 'Voice agent',
    meaning: 'Finds and adds customers, sees staff and services, and books, moves and cancels appointments.',
    scopes: [
      'appointments:read',
      'appointments:write',
      'customers:read',
      'customers:write',
      'staff:read',
      'services:read',
    ],
  },
  mirror: {
    name: 'Mirror',
    meaning: 'Keeps a copy of all records, without transcripts, from the feed of events.',
    scopes: [...READ_SCOPES, 'events:read'],
  },
} as const satisfies Record<string, KeyPreset>;

export type KeyPresetName = keyof typeof KEY_PRESETS;
