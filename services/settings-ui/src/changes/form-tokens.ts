import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { drawnAtMs, FORM_LIVES_MS } from '../forms/form-token.rules.ts';
import { answerOf } from '../session/sealed-values.ts';
import type { Session } from '../session/session.rules.ts';

/**
 * Notes that a form is used, once, and no more than so many in 24 hours of one session, and in a UTC day of its tenant.
 *
 * KEYS: the used forms of the session, by when they are forgotten less a form's life; the key by which processes of
 * 0.1.0 know this form; since when there have been processes of this release; how many forms the tenant has used,
 * without the day's number.
 * ARGV: the form; when its page was drawn (epoch milliseconds; -1 where its token has no time); a form's life in
 * milliseconds; the most forms of a session, and of a tenant. Reply: what came of it, with `full` the
 * milliseconds until a place is free, with `taken` the day that it counts for.
 *
 * A used form is kept for a life from its use on, and from its drawing on where that clock is ahead: it outlives its
 * token. All is read before anything is written, as a Redis that is full refuses only what a script writes first.
 */
const USE_FORM = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local form, drawn, life = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local most, most_of_tenant = tonumber(ARGV[4]), tonumber(ARGV[5])
local since = tonumber(redis.call('GET', KEYS[3]) or now)
local is_upgrading = now < since + life
if redis.call('ZSCORE', KEYS[1], form) or redis.call('GET', KEYS[2]) then return { 'used', 0 } end
if drawn == -1 and is_upgrading then drawn = now end
if drawn + life <= now then return { 'expired', 0 } end
local live = '(' .. string.format('%.0f', now - life)
if redis.call('ZCOUNT', KEYS[1], live, '+inf') >= most then
  local oldest = redis.call('ZRANGEBYSCORE', KEYS[1], live, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return { 'full', oldest[2] + life - now }
end
local day = math.floor(now / ${86_400_000})
local of_tenant = KEYS[4] .. ':' .. string.format('%.0f', day)
local day_ends = (day + 1) * ${86_400_000}
if tonumber(redis.call('GET', of_tenant) or 0) >= most_of_tenant then return { 'full', day_ends - now } end
redis.call('SET', KEYS[3], string.format('%.0f', now), 'NX')
redis.call('ZADD', KEYS[1], string.format('%.0f', math.max(now, drawn)), form)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - life))
local latest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', latest[2] + life))
redis.call('INCRBY', of_tenant, 1)
redis.call('PEXPIREAT', of_tenant, string.format('%.0f', day_ends))
if is_upgrading then redis.call('SET', KEYS[2], '1', 'PX', life) end
return { 'taken', day }
`;

/** Forgets a used form again, of which nothing came. KEYS: the first, second and fourth of above; ARGV: the form; its day. */
const RELEASE_FORM = `
redis.call('DEL', KEYS[2])
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return end
local of_tenant = KEYS[3] .. ':' .. ARGV[2]
if tonumber(redis.call('GET', of_tenant) or 0) > 0 then redis.call('INCRBY', of_tenant, -1) end
`;

/** Forms of one session in 24 hours: far more than people send, and as much as a script can leave in Redis. */
export const MOST_FORMS = 2_000;
/** Forms of all sessions of a tenant in a UTC day: of which it may begin any number. */
export const MOST_FORMS_OF_TENANT = 10_000;
/** Untimed tokens are of pages that 0.1.0 has drawn, so they are taken for a form's life from then on. */
const SINCE = 'settings:form-times-since';

/** A form of a session, by the path that it is sent to and the token of the page that it was drawn on. */
export interface SentForm {
  session: Pick<Session, 'tenantId' | 'token' | 'csrfSecret'>;
  action: string;
  formToken: string;
}

type UsedForm =
  | { outcome: 'taken'; day: number }
  | { outcome: 'used' | 'expired' }
  | { outcome: 'full'; freeInMs: number };

type RedisWithScript = Redis & {
  useForm(...keysAndArguments: (string | number)[]): Promise<[UsedForm['outcome'], number]>;
  releaseForm(...keysAndArguments: (string | number)[]): Promise<null>;
};

export type FormTokens = ReturnType<typeof createFormTokens>;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const usedForms = ({ session }: SentForm) => `settings:forms:${hashOf(session.token)}`;
const usedOfTenant = ({ session }: SentForm) => `settings:forms-of:{${session.tenantId}}`;
const nameOf = ({ action, formToken }: SentForm) => hashOf(`${action} ${formToken}`).slice(0, 22);
/** The key of 0.1.0, whose processes run beside these during an upgrade. */
const earlierKey = ({ session, action, formToken }: SentForm) =>
  `settings:form:${hashOf(`${session.token} ${action} ${formToken}`)}`;

export function createFormTokens(redis: Redis) {
  redis.defineCommand('useForm', { numberOfKeys: 4, lua: USE_FORM });
  redis.defineCommand('releaseForm', { numberOfKeys: 3, lua: RELEASE_FORM });
  const scripts = redis as RedisWithScript;
  return {
    /**
     * Uses the form's token, where that may still be used.
     * @throws AppError `service_unavailable` without Redis, or where it is full
     */
    async take(form: SentForm): Promise<UsedForm> {
      const drawn = drawnAtMs(form.session.csrfSecret, form.formToken) ?? -1;
      const keys = [usedForms(form), earlierKey(form), SINCE, usedOfTenant(form)];
      const bounds = [FORM_LIVES_MS, MOST_FORMS, MOST_FORMS_OF_TENANT];
      const [outcome, more] = await answerOf(scripts.useForm(...keys, nameOf(form), drawn, ...bounds));
      if (outcome === 'taken') return { outcome, day: more };
      return outcome === 'full' ? { outcome, freeInMs: more } : { outcome };
    },
    /** Forgets it, where nothing came of it. The day is that of `take`. */
    async release(form: SentForm, day: number): Promise<void> {
      const keys = [usedForms(form), earlierKey(form), usedOfTenant(form)];
      await answerOf(scripts.releaseForm(...keys, nameOf(form), day));
    },
    /**
     * Since when pages of 0.1.0, whose tokens have no time, are taken for a form's life (epoch milliseconds). That
     * begins here where nothing has begun it. @throws AppError `service_unavailable` as above
     */
    async untimedSinceMs(): Promise<number> {
      const nowMs = Date.now();
      const known = await answerOf(redis.get(SINCE));
      if (known === null) await answerOf(redis.set(SINCE, nowMs, 'NX'));
      return known === null ? nowMs : Number(known);
    },
  };
}
