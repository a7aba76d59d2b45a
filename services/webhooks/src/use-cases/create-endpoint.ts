import { invalid } from '@frontdesk/service';
import type { CreatedEndpoint, EndpointRepository, NewEndpoint } from '../data/endpoint.repository.ts';
import { faultOfEndpointUrl } from '../domain/endpoint-url.ts';
import { generateSecret } from '../domain/signature.ts';

export type CreateEndpoint = (
  tenantId: number,
  endpoint: Omit<NewEndpoint, 'secret'>,
) => Promise<CreatedEndpoint>;

/** Adds an endpoint with a secret of its own; this is the only time that the secret is shown. */
export function createCreateEndpoint(options: {
  endpoints: EndpointRepository;
  allowHttp: boolean;
}): CreateEndpoint {
  const { endpoints, allowHttp } = options;
  return async (tenantId, { url, events }) => {
    const fault = faultOfEndpointUrl(url, { allowHttp });
    if (fault !== null) throw invalid({ url: [fault] });
    return endpoints.insert(tenantId, { url, events, secret: generateSecret() });
  };
}
