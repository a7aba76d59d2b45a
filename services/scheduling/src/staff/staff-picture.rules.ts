import type { StaffPicture } from '@frontdesk/contracts';

export interface PictureRow {
  type: StaffPicture['type'];
  bytes: Buffer;
  /** The staff member's version when it was set: no two pictures share an address. */
  version: number;
}

/** What files of the type have at their beginning, and where. */
const SIGNATURES: Record<StaffPicture['type'], [at: number, bytes: string][]> = {
  'image/png': [[0, '\x89PNG\r\n\x1a\n']],
  'image/jpeg': [[0, '\xff\xd8\xff']],
  'image/webp': [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ],
};

export const isOfType = (type: StaffPicture['type'], bytes: Buffer): boolean =>
  SIGNATURES[type].every(([at, expected]) => bytes.toString('latin1', at, at + expected.length) === expected);
