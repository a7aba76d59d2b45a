import { type ErrorCode, failureSchema, IDENTITY_HEADER, type Role } from '@frontdesk/contracts';
import { Pool } from 'undici';
import { z } from 'zod';
import type { Component } from './component.ts';
import { AppError, overtaken } from './errors.ts';
import type { IdentitySigner } from './identity.ts';
import type { Metrics } from './metrics.ts';
import { type Span, traced, traceparentOfSpan } from './tracing/spans.ts';

export interface ServiceRequest<Schema extends z.ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  tenantId?: number;
  body?: object;
  /** Parses the envelope's `data`. */
  schema: Schema;
  /** Longest that this one may take, where that is another time than the client's own. */
  timeoutMs?: number;
  /** Changes the record only while it is still as this ETag says, else `precondition_failed`. */
  ifMatch?: string | undefined;
  /** The ETag of an answer that the caller has. */
  ifNoneMatch?: string | undefined;
  /** A POST with the same key again makes nothing more, and gets the first one's answer. */
  idempotencyKey?: string | undefined;
}

/** A record, and the ETag of what it says. */
export interface Versioned<Record> {
  record: Record;
  etag: string;
}

export interface ListPage<Rows> {
  rows: Rows;
  /** Of all that the list's filters let through. */
  total: number;
  total_is_estimate?: true | undefined;
  /** Where the list goes on after this page. */
  next_cursor?: string | undefined;
}

export interface ServiceClient extends Component {
  /**
   * @throws AppError with the code, message and field errors that the service answered, or `service_unavailable`
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
  /** The service's name, for whom alone the token is good. */
  audience: string;
  signer: IdentitySigner;
  role?: Role;
  timeoutMs?: number | undefined;
  metrics?: Pick<Metrics, 'callDuration'> | undefined;
}

/** What a header may hold here. On anything beyond, undici may send nothing and keep the connection waiting for ever. */
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

const NOT_MODIFIED = 304;

/** Twice what the four pages that one tenant may have made at once ask a service for. */
const CONNECTIONS = 16;

/** Calls another Frontdesk service with a signed identity. One bounded pool of connections; close it with `stop`. */
export function createServiceClient(options: ClientOptions): ServiceClient {
  const { baseUrl, audience, signer, role = 'service', timeoutMs = 3_000, metrics } = options;
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, connectTimeout: timeoutMs });
  const unavailable = (cause: unknown) =>
    new AppError('service_unavailable', 'A part of the system is not available. Please try again.', {
      cause,
      headers: { 'retry-after': '1' },
    });

  /** Null where the service says that nothing has changed. */
  const send = async (request: ServiceRequest<z.ZodType>, span: Span | null) => {
    if (!HEADER_TEXT.test(request.ifMatch ?? '')) throw overtaken();
    const endTimer = metrics?.callDuration.startTimer({ service: audience });
    let status = 'none';
    try {
      const { statusCode, headers, body } = await pool.request({
        method: request.method,
        path: request.path,
        signal: AbortSignal.timeout(request.timeoutMs ?? timeoutMs),
        headers: {
          ...(span && { traceparent: traceparentOfSpan(span) }),
          [IDENTITY_HEADER]: await signer.sign({ audience, role, tenantId: request.tenantId }),
          ...(request.body ? { 'content-type': 'application/json' } : {}),
          ...(request.ifMatch ? { 'if-match': request.ifMatch } : {}),
          ...(request.ifNoneMatch ? { 'if-none-match': request.ifNoneMatch } : {}),
          ...(request.idempotencyKey ? { 'idempotency-key': request.idempotencyKey } : {}),
        },
        body: request.body ? JSON.stringify(request.body) : null,
      });
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
    const failure = failureSchema.safeParse(answer);
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
      await pool.close();
    },
  };
}

/** Makes clients of several services that differ only in whom they call. */
export const serviceClients =
  (shared: Omit<ClientOptions, 'audience' | 'baseUrl'>) => (audience: string, baseUrl: string) =>
    createServiceClient({ ...shared, audience, baseUrl });

/** A caller's mistake is passed on as it is; a fault inside the other service is that service being unavailable. */
function asAppError(
  failure: z.output<typeof failureSchema>,
  unavailable: (cause: unknown) => AppError,
): AppError {
  const internal: ErrorCode[] = ['internal_error', 'unauthorized', 'forbidden'];
  if (internal.includes(failure.code)) return unavailable(failure);
  return new AppError(failure.code, failure.message, { errors: failure.errors, data: failure.data });
}
