import type { CallMessage, CallSource } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { type QuotaUse, quotaUse } from '../records/quota-use.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';

/** Null: calls couldn't say in time. */
export interface LoadedSources {
  region: Region;
  sources: CallSource[] | null;
  /** Use of the quotas of sources and of their messages today; null where it is not known right now. */
  quotas: Record<'sources' | 'messages' | 'bytes', QuotaUse | null>;
  /** The latest that could not be read, of deleted sources too. */
  unreadable: CallMessage[] | null;
}

const UNREADABLE = '20';
const OF_SOURCE = '20';

export async function loadSources({ gateway, calls }: Clients, by: By): Promise<LoadedSources> {
  const [tenant, sources, usage, unreadable] = await Promise.all([
    orNull(gateway.tenant(by)),
    orNull(calls.sources(by)),
    orNull(calls.quotaUsage(by)),
    orNull(calls.messages(by, { status: 'unreadable', per_page: UNREADABLE })),
  ]);
  const quotas = {
    sources: quotaUse('call_sources', tenant, sources?.length),
    messages: quotaUse('call_messages_per_day', tenant, usage?.call_messages_per_day),
    bytes: quotaUse('call_bytes_per_day', tenant, usage?.call_bytes_per_day),
  };
  return { region: regionOf({ tenant }), sources, quotas, unreadable };
}

export interface LoadedSource {
  region: Region;
  /** Null: calls couldn't say in time. */
  source: CallSource | null;
  messages: CallMessage[] | null;
}

/**
 * One source with the latest that came in by it. @throws AppError 404; where calls is away too, unless the page
 * `hasSent` something to show without it
 */
export async function loadSource(
  { gateway, calls }: Clients,
  by: By,
  { id, hasSent }: { id: number; hasSent: boolean },
): Promise<LoadedSource> {
  const found = calls.source(by, id);
  const [tenant, source, messages] = await Promise.all([
    orNull(gateway.tenant(by)),
    hasSent ? orNull(found) : found,
    orNull(calls.messages(by, { source_id: String(id), per_page: OF_SOURCE })),
  ]);
  return { region: regionOf({ tenant }), source, messages };
}

/**
 * What a message's page says beside the message: its source's name, null where that is deleted or unknown, and
 * the zone of times.
 */
export async function loadMessageSource({ gateway, calls }: Clients, by: By, sourceId: number) {
  const [sources, tenant] = await Promise.all([orNull(calls.sources(by)), orNull(gateway.tenant(by))]);
  const sourceName = sources?.find((source) => source.id === sourceId)?.name ?? null;
  return { sourceName, region: regionOf({ tenant }) };
}
