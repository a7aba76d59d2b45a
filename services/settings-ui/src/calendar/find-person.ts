import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import type { DayPerson } from '../records/person.rules.ts';
import type { By } from '../session/session.rules.ts';

/**
 * Whose week it is; null for everybody's, and where scheduling can't say.
 * @throws AppError 404 for somebody of another business
 */
export async function findPerson(
  { scheduling }: Clients,
  by: By,
  staffId: number | undefined,
): Promise<DayPerson | null> {
  if (staffId === undefined) return null;
  const found = await orNull(scheduling.staff.find(by, staffId));
  if (!found) return null;
  const { name, is_active, color, picture_version } = found.record;
  return { staff_id: staffId, name, is_active, color, picture_version };
}
