import type { Database } from '@frontdesk/database';
import { findTenant } from './tenant-projection.ts';

/** Whether the projection has the tenant as suspended. */
export const isSuspended =
  ({ system }: Pick<Database, 'system'>) =>
  async (tenantId: number): Promise<boolean> =>
    (await system.maybeOne(findTenant, { tenantId }))?.status === 'suspended';
