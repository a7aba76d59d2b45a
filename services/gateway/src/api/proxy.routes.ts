import type { App, AppError, IdentitySigner } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { CALL, type Upstream } from '../clients/upstream.ts';
import { withoutApiKey } from '../domain/credentials.ts';
import { upstreamHeaders } from '../domain/headers.ts';
import type { KeyAccess } from '../domain/key-access.ts';
import { pathOf, queryOf, targetOf } from '../domain/request-target.ts';
import { proxy } from './proxy.ts';
import type { BodyReader } from './request-body.ts';

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/** What a route refuses that takes some of them. */
export const ANY_METHOD = [...METHODS, 'TRACE'];

/** API v1: everything at and below the prefix, with the client's identity. */
export function proxyRoutes(
  app: App,
  deps: {
    prefix: string;
    upstream: Upstream;
    signer: IdentitySigner;
    readBody: BodyReader;
    takenWithinMs: number;
    mayCompress: (request: FastifyRequest) => boolean;
    /** Looks at an answer that may have taken long; what it comes to, the client gets instead. */
    screen?: (request: FastifyRequest) => Promise<AppError | null>;
  },
): void {
  const { prefix, upstream, signer, readBody, takenWithinMs, mayCompress, screen } = deps;
  void app.register(async (scope: App) => {
    await proxy(scope, {
      upstream,
      prefix,
      methods: METHODS,
      isCatchAll: true,
      takenWithinMs,
      mayCompress,
      routes: ['', '/*'],
      ...(screen && { screen }),
      async prepare(request, reply) {
        const { method, url, raw, id: requestId, traceparent } = request;
        const { tenantId, keyId, plan } = request.access as KeyAccess;
        const body = await readBody(request, reply);
        // After the body, which may take longer to come than an identity lives.
        const identity = await signer.sign({
          audience: upstream.name,
          role: 'integrator',
          tenantId,
          keyId,
          plan,
        });
        const added = { method, identity, requestId, traceparent, bodyBytes: body?.length };
        const path = targetOf(pathOf(url), withoutApiKey(queryOf(url)));
        return {
          ...upstreamHeaders(raw.headers, added),
          [CALL]: { client: reply.raw, path, body, holder: tenantId },
        };
      },
    });
  });
}
