import type { ServerResponse } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import type { App, IdentitySigner } from '@frontdesk/service';
import { CLIENT_SIDE, type Upstream } from '../clients/upstream.ts';
import { queryOf, withoutApiKey } from '../domain/credentials.ts';
import { downstreamHeaders, upstreamHeaders } from '../domain/headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the service that the route leads to. */
    upstream?: string;
  }
  interface FastifyRequest {
    /** What the proxy adds to the request on its way to the backend. */
    forward: { identity: string; clientSide: ServerResponse } | null;
  }
}

/** Forwards everything at and below the prefix to the backend under the same path. Methods are the backend's to judge. */
export async function proxyRoutes(
  app: App,
  deps: { prefix: string; upstream: Upstream; signer: IdentitySigner },
): Promise<void> {
  const { prefix, upstream, signer } = deps;
  await app.register(httpProxy, {
    prefix,
    rewritePrefix: prefix,
    upstream: upstream.url,
    undici: upstream.dispatcher,
    config: { upstream: upstream.name },
    // The app's own parser streams bodies and counts them.
    proxyPayloads: false,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    retryMethods: [],
    preHandler: (request, reply, done) => {
      const { tenantId, keyId, plan } = request.caller;
      signer.sign({ audience: upstream.name, role: 'integrator', tenantId, keyId, plan }).then((identity) => {
        request.forward = { identity, clientSide: reply.raw };
        done();
      }, done);
    },
    replyOptions: {
      queryString: (_search, target) => withoutApiKey(queryOf(target)),
      rewriteRequestHeaders: (request, headers) => {
        const { identity, clientSide } = request.forward as { identity: string; clientSide: ServerResponse };
        const forwarded = upstreamHeaders(headers, {
          method: request.method,
          identity,
          requestId: request.id,
        });
        return Object.assign(forwarded, { [CLIENT_SIDE]: clientSide });
      },
      rewriteHeaders: downstreamHeaders,
      onError: (reply, { error }) => {
        // A client that went away hears no answer, and its backend is not to blame for there being none.
        if (reply.raw.destroyed) reply.hijack();
        // The dispatcher's own error is the cause; the proxy's would tell the backend's address.
        else reply.send(error.cause ?? error);
      },
    },
  });
}
