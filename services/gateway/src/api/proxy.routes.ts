import type { IdentitySigner } from '@frontdesk/service';
import { withoutIdentityRefusal } from '../clients/identity-refusal.ts';
import type { Upstream } from '../clients/upstream.ts';
import { withoutApiKey } from '../domain/credentials.ts';
import { upstreamHeaders } from '../domain/headers.ts';
import { forward } from './forward.ts';
import type { BodyReader } from './request-body.ts';
import { callerOf, type RequestContext, type Route } from './request-context.ts';

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** API v1: everything at and below the prefix, with the caller's identity. Which of the methods a path takes is the backend's to say. */
export function proxyRoutes(deps: {
  prefix: string;
  upstream: Upstream;
  signer: IdentitySigner;
  readBody: BodyReader;
}): Route[] {
  const { prefix, upstream, signer, readBody } = deps;

  const answer = async (context: RequestContext) => {
    const { tenantId, keyId, plan } = callerOf(context);
    const body = await readBody(context);
    // After the body, which may take longer to come than an identity lives.
    const identity = await signer.sign({
      audience: upstream.name,
      role: 'integrator',
      tenantId,
      keyId,
      plan,
    });
    const { id: requestId, traceparent, method, query, request } = context;
    const added = { method, identity, requestId, traceparent, bodyBytes: body?.length };
    await forward(context, {
      upstream,
      query: withoutApiKey(query),
      headers: upstreamHeaders(request.headers, added),
      body,
      holder: tenantId,
      screen: withoutIdentityRefusal,
    });
  };

  const below = `${prefix}/`;
  const common = { methods: METHODS, upstream: upstream.name, answer };
  return [
    { ...common, name: prefix, matches: (path) => path === prefix },
    { ...common, name: `${prefix}/*`, matches: (path) => path.startsWith(below) },
  ];
}
