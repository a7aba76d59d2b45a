import { addIndex } from '@frontdesk/database';

/** Other calls with the same number: those that a call-back closes too, and whether somebody has talked with it since. */
export const indexCallsByNumber = addIndex('IndexCallsByNumber1790000000215', {
  name: 'calls_by_number',
  on: `calls (
    tenant_id,
    coalesce(customer_number, case direction when 'inbound' then from_number else to_number end),
    started_at
  ) where is_complete and not is_test`,
});
