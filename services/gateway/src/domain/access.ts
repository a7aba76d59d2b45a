import type { Plan } from '@frontdesk/contracts';

/** Whom a key lets in. */
export interface Caller {
  tenantId: number;
  keyId: number;
  plan: Plan;
  status: 'active' | 'suspended';
}
