import { EntitySchema } from 'typeorm';
import type { EndpointRow } from './endpoint.rules.ts';

/** Without the columns of its health and its release, which statements alone read and write. */
export const endpointEntity = new EntitySchema<EndpointRow>({
  name: 'endpoint',
  tableName: 'endpoints',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    url: { type: 'text' },
    events: { type: 'text', array: true },
    scopes: { type: 'text', array: true },
    headers: { type: 'text', nullable: true },
    header_names: { type: 'text', array: true },
    secret: { type: 'text' },
    secret_last_four: { type: 'text', nullable: true },
    previous_secret: { type: 'text', nullable: true },
    previous_secret_until: { type: 'timestamptz', nullable: true },
    is_active: { type: 'boolean', default: true },
    is_suspended: { type: 'boolean', default: false },
    disabled_reason: { type: 'text', nullable: true },
    paused_at: { type: 'timestamptz', nullable: true },
    missed_from: { type: 'timestamptz', nullable: true },
    missed_to: { type: 'timestamptz', nullable: true },
    version: { type: 'int', version: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
    deleted_at: { type: 'timestamptz', deleteDate: true, nullable: true },
  },
});
