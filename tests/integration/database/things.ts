import { tenantSql } from '@frontdesk/database';
import { EntitySchema } from 'typeorm';

interface Thing {
  tenantId: number;
  id: number;
  name: string;
}

export const ThingEntity = new EntitySchema<Thing>({
  name: 'thing',
  tableName: 'things',
  columns: {
    tenantId: { name: 'tenant_id', type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text' },
  },
});

export const listThings = tenantSql<{ name: string }>(
  'list_things',
  'select name from things where tenant_id = $1 order by id',
);
