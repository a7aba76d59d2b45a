import type { App, IdentitySigner } from '@frontdesk/service';
import { withoutIdentityRefusal } from '../clients/identity-refusal.ts';
import type { Upstream } from '../clients/upstream.ts';
import { withoutApiKey } from '../domain/credentials.ts';
import { upstreamHeaders } from '../domain/headers.ts';
import { forwardTo } from './forward.ts';
import type { BodyReader } from './request-body.ts';

/** API v1: everything at and below the prefix, with the caller's identity. Methods are the backend's to judge. */
export async function proxyRoutes(
  app: App,
  deps: { prefix: string; upstream: Upstream; signer: IdentitySigner; readBody: BodyReader },
): Promise<void> {
  const { prefix, upstream, signer, readBody } = deps;
  await forwardTo(app, {
    prefix,
    upstream,
    queryFrom: withoutApiKey,
    async prepare(request, reply) {
      const { tenantId, keyId, plan } = request.caller;
      const { id: requestId, method } = request;
      const body = await readBody(request, reply);
      // After the body, which may take longer to come than an identity lives.
      const identity = await signer.sign({
        audience: upstream.name,
        role: 'integrator',
        tenantId,
        keyId,
        plan,
      });
      return {
        clientSide: { response: reply.raw, body, screen: withoutIdentityRefusal },
        headersOf: (headers) =>
          upstreamHeaders(headers, { method, identity, requestId, bodyBytes: body?.length }),
      };
    },
  });
}
