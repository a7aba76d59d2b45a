import httpProxy from '@fastify/http-proxy';
import type { App, IdentitySigner } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_SIDE, type ClientSide, type Upstream } from '../clients/upstream.ts';
import { queryOf, withoutApiKey } from '../domain/credentials.ts';
import { downstreamHeaders, upstreamHeaders } from '../domain/headers.ts';
import type { BodyReader } from './request-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the service that the route leads to. */
    upstream?: string;
  }
  interface FastifyRequest {
    /** What the proxy adds to the request on its way to the backend. */
    forward: Forward | null;
  }
}

interface Forward {
  identity: string;
  clientSide: ClientSide;
}

/** Forwards everything at and below the prefix to the backend under the same path. Methods are the backend's to judge. */
export async function proxyRoutes(
  app: App,
  deps: { prefix: string; upstream: Upstream; signer: IdentitySigner; readBody: BodyReader },
): Promise<void> {
  const { prefix, upstream, signer, readBody } = deps;

  const prepare = async (request: FastifyRequest, reply: FastifyReply): Promise<Forward> => {
    const { tenantId, keyId, plan } = request.caller;
    const body = await readBody(request, reply);
    // After the body, which may take longer to come than an identity lives.
    const identity = await signer.sign({
      audience: upstream.name,
      role: 'integrator',
      tenantId,
      keyId,
      plan,
    });
    return { identity, clientSide: { response: reply.raw, body } };
  };

  await app.register(httpProxy, {
    prefix,
    rewritePrefix: prefix,
    upstream: upstream.url,
    undici: upstream.dispatcher,
    config: { upstream: upstream.name },
    // The app's own parser leaves bodies as they are.
    proxyPayloads: false,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    retryMethods: [],
    preHandler: (request, reply, done) => {
      prepare(request, reply).then((forward) => {
        request.forward = forward;
        done();
      }, done);
    },
    replyOptions: {
      queryString: (_search, target) => withoutApiKey(queryOf(target)),
      rewriteRequestHeaders: (request, headers) => {
        const { identity, clientSide } = request.forward as Forward;
        const forwarded = upstreamHeaders(headers, {
          method: request.method,
          identity,
          requestId: request.id,
          bodyBytes: clientSide.body?.length,
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
