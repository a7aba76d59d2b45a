import type { Quotas } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { requireQuota } from '@frontdesk/service';
import { countServices } from '../data/service.repository.ts';
import { countStaff } from '../data/staff.repository.ts';
import { requireBelowBound } from './check-name.ts';

const COUNTS = { services: countServices, staff: countStaff };
type Kind = keyof typeof COUNTS;

/** Checks that one more record may be added. Lock the business first. @throws AppError `validation_failed`, `quota_exceeded` */
export async function requireAddition(
  tx: TenantTransaction,
  kind: Kind,
  { isActive, quotas }: { isActive: boolean; quotas: Quotas },
): Promise<void> {
  const { count, active } = await COUNTS[kind](tx);
  requireBelowBound(count, kind);
  if (isActive) requireQuota(kind, { used: active, allowed: quotas[kind] });
}

/** Checks that one more record may be active. Lock the business first. @throws AppError `quota_exceeded` */
export async function requireActivation(tx: TenantTransaction, kind: Kind, quotas: Quotas): Promise<void> {
  const { active } = await COUNTS[kind](tx);
  requireQuota(kind, { used: active, allowed: quotas[kind] });
}

interface Entry {
  name: string;
  is_active: boolean;
}

/** Checks the records that an import makes active; those that it deactivates no longer count. @throws AppError `quota_exceeded` */
export function requireImported(
  kind: Kind,
  { before, changed, quotas }: { before: readonly Entry[]; changed: readonly Entry[]; quotas: Quotas },
): void {
  const active = new Set(before.filter((entry) => entry.is_active).map(({ name }) => name));
  const added = changed.filter(({ name, is_active }) => is_active && !active.has(name)).length;
  const ended = changed.filter(({ name, is_active }) => !is_active && active.has(name)).length;
  requireQuota(kind, { used: active.size - ended, added, allowed: quotas[kind] });
}
