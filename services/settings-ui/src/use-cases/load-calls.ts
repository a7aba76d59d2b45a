import type { CallSource, callMessageSchema } from '@frontdesk/contracts';
import type { z } from 'zod';
import type { CallsClient } from '../clients/calls.client.ts';
import type { KeysClient } from '../clients/keys.client.ts';
import { zoneOf } from '../domain/api-settings.ts';
import { orNull } from './load-api-settings.ts';

export type CallMessage = z.output<typeof callMessageSchema>;

export interface CallsClients {
  gateway: Pick<KeysClient, 'tenant'>;
  calls: CallsClient;
}

/** Null: calls couldn't say in time. */
export interface CallsOverview {
  business: string | null;
  zone: string;
  sources: CallSource[] | null;
  /** The latest that could not be read, of deleted sources too. */
  unreadable: CallMessage[] | null;
}

const UNREADABLE = '20';
const OF_SOURCE = '20';

export async function loadCalls({ gateway, calls }: CallsClients, tenantId: number): Promise<CallsOverview> {
  const [tenant, sources, unreadable] = await Promise.all([
    orNull(gateway.tenant(tenantId)),
    orNull(calls.sources(tenantId)),
    orNull(calls.messages(tenantId, { status: 'unreadable', per_page: UNREADABLE })),
  ]);
  return { business: tenant?.name ?? null, zone: zoneOf({ tenant }), sources, unreadable };
}

export interface LoadedSource {
  zone: string;
  source: CallSource;
  messages: CallMessage[] | null;
}

/** One source with the latest that came in by it. @throws AppError 404, or where calls is away */
export async function loadSource(
  { gateway, calls }: CallsClients,
  tenantId: number,
  id: number,
): Promise<LoadedSource> {
  const [tenant, source, messages] = await Promise.all([
    orNull(gateway.tenant(tenantId)),
    calls.source(tenantId, id),
    orNull(calls.messages(tenantId, { source_id: String(id), per_page: OF_SOURCE })),
  ]);
  return { zone: zoneOf({ tenant }), source, messages };
}
