import {
  type ErrorCode,
  failureSchema,
  faultsOfErrors,
  IDENTITY_HEADER,
  internalFailure,
  type ParamsIn,
  pathTo,
  type Role,
  type Route,
  type Scope,
} from '@frontdesk/contracts';
import { createFairQueue } from '@frontdesk/fair';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { BackendDispatchOptions } from '../backends/backend-request.ts';
import { BackendDispatcher, MAX_UNANSWERED } from '../backends/dispatcher.ts';
import { SERVICE_TIMEOUT_MS } from '../config/config.ts';
import { AppError, overtaken } from '../errors/app-error.ts';
import type { IdentitySigner } from '../identity/identity.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Component } from '../run/component.ts';
import { type Span, traced, traceparentOfSpan } from '../tracing/spans.ts';

export interface ServiceRequest<Schema extends z.ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  tenantId?: number;
  /** The admin on whose behalf it is. */
  userId?: number;
  /** What they may do. */
  scopes?: readonly Scope[];
  body?: object;
  /** In another role than the client's own. */
  role?: Role;
  /** Parses the envelope's `data`. */
  schema: Schema;
  /** Longest time for this request, instead of the client's own. */
  timeoutMs?: number;
  /** Changes the record only while it is still as this ETag says, else `precondition_failed`. */
  ifMatch?: string | undefined;
  /** The ETag of an answer that the caller has. */
  ifNoneMatch?: string | undefined;
  /** A repeated POST with the same key has no second effect, and gets the first answer. */
  idempotencyKey?: string | undefined;
}

/** What a declared route's answer holds as `data`. */
type DataOf<Declared extends Route> = Declared['answer'] extends {
  shape: { data: infer Schema extends z.ZodType };
}
  ? Schema
  : never;

/** What is asked of a declared route: what its path names, and the rest of the request. */
export type Asked<Declared extends Route> = Omit<
  ServiceRequest<z.ZodType>,
  'method' | 'path' | 'schema' | 'body'
> &
  Record<Exclude<ParamsIn<Declared['path']>, 'tenant_id'>, string | number> & {
    query?: Declared extends { query: infer Schema extends z.ZodType }
      ? URLSearchParams | { [Name in keyof z.input<Schema>]?: string | number }
      : never;
    /** As it is written, or as it was parsed: what JSON makes of that is the same. */
    body?: Declared extends { body: infer Schema extends z.ZodType }
      ? (z.input<Schema> | z.output<Schema>) & object
      : never;
  } & ('tenant_id' extends ParamsIn<Declared['path']> ? { tenantId: number } : unknown);

/** The request to a route, as both sides know it. */
export function requestOf<const Declared extends Route>(
  declared: Declared,
  { query, ...asked }: Asked<Declared>,
): ServiceRequest<DataOf<Declared>> {
  const path = pathTo<Pick<Route, 'path'>>(declared, { tenant_id: asked.tenantId, ...asked });
  return {
    ...asked,
    method: declared.method,
    path: query === undefined ? path : `${path}?${new URLSearchParams(query as Record<string, string>)}`,
    schema: (declared.answer as z.ZodObject<{ data: DataOf<Declared> }>).shape.data,
  };
}

/** A record, and the ETag of what it says. */
export interface Versioned<Record> {
  record: Record;
  etag: string;
}

export interface ListPage<Rows> {
  rows: Rows;
  /** Of all records that pass the list's filters. */
  total: number;
  total_is_estimate?: true | undefined;
  /** Where the list goes on after this page. */
  next_cursor?: string | undefined;
}

export interface ServiceClient extends Component {
  /**
   * @throws AppError with the code, message and field faults that the service answered, or `service_unavailable`
   * when it can't be reached in time or answers something else than the envelope.
   */
  request<Schema extends z.ZodType>(request: ServiceRequest<Schema>): Promise<z.output<Schema>>;
  /** The same where the service answers with the record's ETag; empty where it doesn't. */
  requestVersioned<Schema extends z.ZodType>(
    request: ServiceRequest<Schema>,
  ): Promise<Versioned<z.output<Schema>>>;
  /** The same, or null while the answer is still as `ifNoneMatch` says. */
  requestChanged<Schema extends z.ZodType>(
    request: ServiceRequest<Schema>,
  ): Promise<Versioned<z.output<Schema>> | null>;
  /** The same for a list with pages. @throws AppError as `request` does. */
  requestPage<Schema extends z.ZodType>(request: ServiceRequest<Schema>): Promise<ListPage<z.output<Schema>>>;
  stop(): Promise<void>;
}

interface ClientOptions {
  baseUrl: string;
  /** The service's name: the token is valid at no other. */
  audience: string;
  signer: IdentitySigner;
  role?: Role;
  /** Who uses the operator's key. */
  actor?: string;
  timeoutMs?: number | undefined;
  metrics?: Pick<Metrics, 'callDuration'> | undefined;
}

/** What a header may hold here. With other characters undici may send nothing and keep the connection for ever. */
const HEADER_TEXT = /^[\x20-\x7e]*$/;

const pageMeta = z.object({
  total: z.int(),
  total_is_estimate: z.literal(true).optional(),
  next_cursor: z.string().optional(),
});
const successEnvelope = z.object({
  success: z.literal(true),
  data: z.unknown(),
  meta: z.unknown().optional(),
});

const answeredFailure = failureSchema.extend(internalFailure.shape);

const NOT_MODIFIED = 304;

/** To one process: twice what the four pages that a tenant may load at once ask of a service. */
const CONNECTIONS = 16;
/** Calls for one tenant at once, to all processes: so connections are left for other tenants. */
const PLACES_OF_TENANT = 8;

/**
 * Calls another Frontdesk service with a signed identity, at all processes behind its name (backends/dispatcher.ts). Close it with
 * `stop`.
 */
export function createServiceClient(options: ClientOptions): ServiceClient {
  const {
    baseUrl,
    audience,
    signer,
    role = 'service',
    actor,
    timeoutMs = SERVICE_TIMEOUT_MS,
    metrics,
  } = options;
  const dispatcher = new BackendDispatcher({
    url: baseUrl,
    connections: CONNECTIONS,
    maxUnanswered: MAX_UNANSWERED,
    holders: createFairQueue({ perHolder: PLACES_OF_TENANT }),
  });
  const unavailable = (cause: unknown) =>
    new AppError('service_unavailable', 'A part of the system is not available. Please try again.', {
      cause,
      headers: { 'retry-after': '1' },
    });

  /** Null where the service answers 304. */
  const send = async (request: ServiceRequest<z.ZodType>, span: Span | null) => {
    if (!HEADER_TEXT.test(request.ifMatch ?? '')) throw overtaken();
    const endTimer = metrics?.callDuration.startTimer({ service: audience });
    let status = 'none';
    try {
      const sent: Dispatcher.RequestOptions & BackendDispatchOptions = {
        holder: request.tenantId,
        method: request.method,
        path: request.path,
        signal: AbortSignal.timeout(request.timeoutMs ?? timeoutMs),
        headers: {
          ...(span && { traceparent: traceparentOfSpan(span) }),
          [IDENTITY_HEADER]: await signer.sign({
            audience,
            role: request.role ?? role,
            tenantId: request.tenantId,
            userId: request.userId,
            scopes: request.scopes,
            actor,
          }),
          ...(request.body ? { 'content-type': 'application/json' } : {}),
          ...(request.ifMatch ? { 'if-match': request.ifMatch } : {}),
          ...(request.ifNoneMatch ? { 'if-none-match': request.ifNoneMatch } : {}),
          ...(request.idempotencyKey ? { 'idempotency-key': request.idempotencyKey } : {}),
        },
        body: request.body ? JSON.stringify(request.body) : null,
      };
      const { statusCode, headers, body } = await dispatcher.request(sent);
      const answer = statusCode === NOT_MODIFIED ? await body.dump() : await body.json();
      status = String(statusCode);
      span?.setAttribute('http.response.status_code', statusCode);
      return statusCode === NOT_MODIFIED ? null : { answer, etag: String(headers.etag ?? '') };
    } catch (error) {
      throw unavailable(error);
    } finally {
      endTimer?.({ status });
    }
  };

  /** Data and meta of the envelope, as these schemas have them, and the ETag; null where nothing has changed. */
  const changedAnswerTo = async (request: ServiceRequest<z.ZodType>, metaSchema: z.ZodType) => {
    const { method } = request;
    const attributes = { 'http.request.method': method, 'service.peer.name': audience };
    const sent = await traced(`${method} ${audience}`, { kind: 'client', attributes }, (span) =>
      send(request, span),
    );
    if (!sent) return null;
    const { answer, etag } = sent;
    const failure = answeredFailure.safeParse(answer);
    if (failure.success) throw asAppError(failure.data, unavailable);
    const success = successEnvelope.safeParse(answer);
    const data = request.schema.safeParse(success.data?.data);
    const meta = metaSchema.safeParse(success.data?.meta);
    if (!success.success || !data.success || !meta.success)
      throw unavailable(success.error ?? data.error ?? meta.error);
    return { data: data.data, meta: meta.data, etag };
  };
  const answerTo = async (request: ServiceRequest<z.ZodType>, metaSchema: z.ZodType) => {
    const answer = await changedAnswerTo(request, metaSchema);
    if (!answer) throw unavailable(new Error('304 to a request that names no ETag'));
    return answer;
  };

  return {
    name: `${audience} client`,
    async request(request) {
      const { data } = await answerTo(request, z.unknown());
      return data as z.output<typeof request.schema>;
    },
    async requestVersioned(request) {
      const { data, etag } = await answerTo(request, z.unknown());
      return { record: data as z.output<typeof request.schema>, etag };
    },
    async requestChanged(request) {
      const answer = await changedAnswerTo(request, z.unknown());
      return answer && { record: answer.data as z.output<typeof request.schema>, etag: answer.etag };
    },
    async requestPage(request) {
      const { data, meta } = await answerTo(request, pageMeta);
      return { rows: data as z.output<typeof request.schema>, ...(meta as z.output<typeof pageMeta>) };
    },
    async stop() {
      await dispatcher.close();
    },
  };
}

/** Makes clients of several services that differ only in whom they call. */
export const serviceClients =
  (shared: Omit<ClientOptions, 'audience' | 'baseUrl'>) => (audience: string, baseUrl: string) =>
    createServiceClient({ ...shared, audience, baseUrl });

/** Passes on a mistake of the caller as it is. An internal error of the other service counts as that service being unavailable. */
function asAppError(
  failure: z.output<typeof answeredFailure>,
  unavailable: (cause: unknown) => AppError,
): AppError {
  const internal: ErrorCode[] = ['internal_error', 'unauthorized', 'forbidden'];
  if (internal.includes(failure.code)) return unavailable(failure);
  const { code, message, errors, reasons, data } = failure;
  return new AppError(code, message, { faults: errors && faultsOfErrors(errors, reasons), data });
}
