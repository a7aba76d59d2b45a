import type { FieldFault, StaffPicture } from '@frontdesk/contracts';

export interface PictureRow {
  type: StaffPicture['type'];
  bytes: Buffer;
  /** That of the staff member at the time, so that none comes twice. */
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

/** The file itself, or what is wrong with it. */
export function pictureOf({ type, base64 }: StaffPicture): { bytes: Buffer; fault: FieldFault | null } {
  const bytes = Buffer.from(base64, 'base64');
  const isOfType = SIGNATURES[type].every(
    ([at, expected]) => bytes.toString('latin1', at, at + expected.length) === expected,
  );
  return {
    bytes,
    fault: isOfType ? null : { text: `The base64 field must be a file of ${type}.`, reason: 'not_picture' },
  };
}
