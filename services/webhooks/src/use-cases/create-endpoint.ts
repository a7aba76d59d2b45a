import { invalid } from '@frontdesk/service';
import type { CreatedEndpoint, EndpointRepository, NewEndpoint } from '../data/endpoint.repository.ts';
import { faultOfEndpointUrl } from '../domain/endpoint-url.ts';
import { generateSecret } from '../domain/signature.ts';

/**
 * Adds an endpoint with a secret of its own; this is the only time that the secret is shown.
 * @throws AppError 422 on `url` where it can't be an endpoint's.
 */
export async function createEndpoint(
  deps: { endpoints: EndpointRepository; allowHttp: boolean },
  tenantId: number,
  { url, events }: Omit<NewEndpoint, 'secret'>,
): Promise<CreatedEndpoint> {
  const fault = faultOfEndpointUrl(url, { allowHttp: deps.allowHttp });
  if (fault !== null) throw invalid({ url: [fault] });
  return deps.endpoints.insert(tenantId, { url, events, secret: generateSecret() });
}
