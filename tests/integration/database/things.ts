import { tenantSql } from '@frontdesk/database';
import { EntitySchema } from 'typeorm';

interface Thing {
  tenant_id: number;
  id: number;
  name: string;
}

export const ThingEntity = new EntitySchema<Thing>({
  name: 'thing',
  tableName: 'things',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text' },
  },
});

export const listThings = tenantSql<{ name: string }>(
  'list_things',
  'select name from things where tenant_id = $tenantId order by id',
);
