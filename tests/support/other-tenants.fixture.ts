import { tenantSql } from '@frontdesk/database';

/** What closed-environment.test.ts runs jest on: the test passes, and the file declares a statement of any tenant's calls. */
it('passes', () => {
  tenantSql<never, { id: number }>(
    'read_any_call',
    'select from calls c join call_sources s on s.tenant_id = $tenantId and s.id = c.source_id where c.id = $id',
  );
});
