import type { Audience } from './identity.ts';
import { callsRoutes } from './routes/calls.ts';
import { gatewayRoutes } from './routes/gateway.ts';
import { lineOf } from './routes/internal-route.ts';
import { schedulingRoutes } from './routes/scheduling.ts';
import { webhooksRoutes } from './routes/webhooks.ts';

type Body = Readonly<Record<string, unknown>>;

interface Recorded {
  /** Its name in the audit log. */
  action: string | ((body: Body) => string);
  /** What the path's id is the number of. */
  noun?: string;
  /** Fields of the body that say what was changed: no secrets, no personal data. */
  shows?: readonly string[];
  /** The field of body and answer by which people know the record. */
  label?: 'name' | 'url';
}

const switched = (on: string, off: string, otherwise: string) => (body: Body) =>
  body.is_active === true ? on : body.is_active === false ? off : otherwise;

function ofTenant({ status, plan, quotas, timezone }: Body): string {
  if (status === 'suspended') return 'business_suspended';
  if (status !== undefined) return 'business_resumed';
  if (plan !== undefined) return 'plan_changed';
  if (quotas !== undefined) return 'quota_changed';
  return timezone === undefined ? 'profile_changed' : 'timezone_changed';
}

/**
 * What operators can change in a business, by service and route: what the business's audit log calls it. A change that has no line here
 * is recorded as well, under a general name.
 */
export const OPERATOR_CHANGES: Readonly<Record<Audience, Readonly<Record<string, Recorded>>>> = {
  gateway: {
    [lineOf(gatewayRoutes.updateTenant)]: {
      action: ofTenant,
      shows: ['name', 'timezone', 'plan', 'status', 'quotas'],
    },
    [lineOf(gatewayRoutes.createKey)]: {
      action: 'key_created',
      label: 'name',
      shows: ['scopes', 'expires_at', 'networks'],
    },
    [lineOf(gatewayRoutes.updateKey)]: {
      action: 'key_changed',
      noun: 'Key',
      label: 'name',
      shows: ['scopes', 'expires_at', 'networks'],
    },
    [lineOf(gatewayRoutes.rollKey)]: { action: 'key_rolled', noun: 'Key', label: 'name', shows: ['hours'] },
    [lineOf(gatewayRoutes.revokeLeakedKey)]: { action: 'key_leaked', noun: 'Key', label: 'name' },
    [lineOf(gatewayRoutes.revokeKey)]: { action: 'key_revoked', noun: 'Key', label: 'name' },
    [lineOf(gatewayRoutes.deleteKey)]: { action: 'key_deleted', noun: 'Key' },
  },
  scheduling: {
    [lineOf(schedulingRoutes.importBusiness)]: {
      action: 'business_imported',
      shows: ['settings', 'hours', 'breaks', 'exceptions', 'time_off', 'services', 'staff'],
    },
    [lineOf(schedulingRoutes.releaseHolds)]: { action: 'holds_released' },
  },
  crm: {},
  calls: {
    [lineOf(callsRoutes.createSource)]: { action: 'call_source_added', label: 'name', shows: ['provider'] },
    [lineOf(callsRoutes.updateSource)]: {
      action: switched('call_source_resumed', 'call_source_paused', 'call_source_changed'),
      noun: 'Call source',
      label: 'name',
    },
    [lineOf(callsRoutes.deleteSource)]: { action: 'call_source_deleted', noun: 'Call source' },
    [lineOf(callsRoutes.rotateSecret)]: {
      action: 'call_secret_replaced',
      noun: 'Call source',
      label: 'name',
    },
    [lineOf(callsRoutes.deleteMessage)]: { action: 'call_message_deleted', noun: 'Call message' },
    [lineOf(callsRoutes.replayMessage)]: {
      action: 'call_message_read_again',
      noun: 'Call message',
    },
  },
  webhooks: {
    [lineOf(webhooksRoutes.createEndpoint)]: { action: 'endpoint_added', label: 'url', shows: ['events'] },
    [lineOf(webhooksRoutes.updateEndpoint)]: {
      action: switched('endpoint_resumed', 'endpoint_paused', 'endpoint_changed'),
      noun: 'Endpoint',
      label: 'url',
      shows: ['events'],
    },
    [lineOf(webhooksRoutes.deleteEndpoint)]: { action: 'endpoint_deleted', noun: 'Endpoint' },
    [lineOf(webhooksRoutes.rotateSecret)]: { action: 'secret_rotated', noun: 'Endpoint' },
    [lineOf(webhooksRoutes.sendTest)]: { action: 'test_sent', noun: 'Endpoint' },
    [lineOf(webhooksRoutes.createReplay)]: {
      action: 'replay_begun',
      noun: 'Endpoint',
      shows: ['kind', 'from', 'to'],
    },
    [lineOf(webhooksRoutes.cancelReplay)]: { action: 'replay_cancelled', noun: 'Replay' },
    [lineOf(webhooksRoutes.resendDelivery)]: { action: 'delivery_resent', noun: 'Delivery' },
    [lineOf(webhooksRoutes.sendNow)]: { action: 'delivery_sent_now', noun: 'Delivery' },
  },
  // It writes its own changes into its own log.
  'settings-ui': {},
};

const MAX_SUBJECT = 300;

/** What the audit log says of an operator's request. */
export function recordedChange(
  service: Audience,
  { line, params, body }: { line: string; params: Body; body: unknown },
): { action: string; subjectOf: (answer: unknown) => string } {
  const known = OPERATOR_CHANGES[service][line];
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Body;
  const action = known
    ? typeof known.action === 'string'
      ? known.action
      : known.action(sent)
    : 'operator_changed';
  const { noun, shows = [], label } = known ?? {};
  const subjectOf = (answer: unknown) => {
    const name = label && (sent[label] ?? (answer as Body | undefined)?.[label]);
    const parts = [
      known ? undefined : line,
      noun && `${noun} ${params.id}`,
      typeof name === 'string' ? name : undefined,
      typeof params.date === 'string' ? params.date : undefined,
      ...shows.filter((field) => sent[field] !== undefined).map((field) => shown(field, sent[field])),
    ];
    return parts
      .filter((part) => part !== undefined)
      .join(', ')
      .slice(0, MAX_SUBJECT);
  };
  return { action, subjectOf };
}

/** A field in words: lists of records by their number, objects by their own fields. */
function shown(field: string, value: unknown): string {
  const name = field.replaceAll('_', ' ');
  if (Array.isArray(value))
    return `${name}: ${value.every((one) => typeof one === 'string') ? value.join(', ') : value.length}`;
  if (value instanceof Date) return `${name}: ${value.toISOString()}`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([key, one]) =>
      typeof one === 'object' && one !== null ? key : `${key.replaceAll('_', ' ')} ${one ?? 'default'}`,
    );
    return `${name}: ${fields.join(', ')}`;
  }
  return `${name}: ${(value as string | number | boolean | null) ?? 'none'}`;
}
