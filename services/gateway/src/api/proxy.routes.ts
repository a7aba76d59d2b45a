import type { App, IdentitySigner } from '@frontdesk/service';
import { withoutIdentityRefusal } from '../clients/identity-refusal.ts';
import type { Upstream } from '../clients/upstream.ts';
import { withoutApiKey } from '../domain/credentials.ts';
import { upstreamHeaders } from '../domain/headers.ts';
import { forwardTo } from './forward.ts';
import type { BodyReader } from './request-body.ts';

/** API v1: everything at and below the prefix, with the caller's identity. Methods are the backend's to judge. */
export function proxyRoutes(
  app: App,
  deps: { prefix: string; upstream: Upstream; signer: IdentitySigner; readBody: BodyReader },
): void {
  const { prefix, upstream, signer, readBody } = deps;
  forwardTo(app, {
    urls: [prefix, `${prefix}/*`],
    upstream,
    queryFrom: withoutApiKey,
    async prepare(request, reply) {
      const { tenantId, keyId, plan } = request.caller;
      const { id: requestId, traceparent, method } = request;
      const body = await readBody(request, reply);
      if (reply.raw.destroyed) return null;
      // After the body, which may take longer to come than an identity lives.
      const identity = await signer.sign({
        audience: upstream.name,
        role: 'integrator',
        tenantId,
        keyId,
        plan,
      });
      const added = { method, identity, requestId, traceparent, bodyBytes: body?.length };
      return {
        headers: upstreamHeaders(request.raw.headers, added),
        body,
        holder: tenantId,
        screen: withoutIdentityRefusal,
      };
    },
  });
}
