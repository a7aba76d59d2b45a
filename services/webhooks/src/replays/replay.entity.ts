import { EntitySchema } from 'typeorm';
import type { ReplayRow } from './replay.rules.ts';

export const replayEntity = new EntitySchema<ReplayRow>({
  name: 'replay',
  tableName: 'replays',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    endpoint_id: { type: 'bigint' },
    kind: { type: 'text' },
    status: { type: 'text', default: 'running' },
    window_from: { type: 'timestamptz', nullable: true },
    window_to: { type: 'timestamptz', nullable: true },
    include_delivered: { type: 'boolean', default: false },
    position: { type: 'bigint' },
    last_id: { type: 'bigint' },
    total: { type: 'int' },
    queued: { type: 'int', default: 0 },
    skipped: { type: 'int', default: 0 },
    created_at: { type: 'timestamptz', createDate: true },
    finished_at: { type: 'timestamptz', nullable: true },
  },
});
