import { join } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import { createIdentitySigner, serviceClients } from '@frontdesk/service';
import type { SystemUrls } from '../start/processes/service-catalog.ts';

/** Of a system's addresses. At the gateway's public port messages of calls come in. */
export type SeedUrls = Pick<
  SystemUrls,
  | 'gateway'
  | 'gatewayInternal'
  | 'schedulingApi'
  | 'schedulingInternal'
  | 'crmApi'
  | 'callsInternal'
  | 'settingsUiInternal'
>;

export type SeedClients = Awaited<ReturnType<typeof createSeedClients>>;

/** A machine that is starting everything at once answers slowly at first. */
const TIMEOUT_MS = 30_000;

/**
 * Clients for the operator's machine, which holds every issuer's private key. Customers and appointments are written as
 * an integrator whose identity is signed here with the gateway's key, on the services' own ports: going through the
 * gateway would use up the demo tenants' requests for the minute and the day.
 */
export async function createSeedClients(urls: SeedUrls, keysDirectory: string) {
  const signerOf = (issuer: Issuer) =>
    createIdentitySigner({ issuer, privateKeyFile: join(keysDirectory, `${issuer}.json`) });
  const [operator, gatewaySigner] = await Promise.all([signerOf('operator'), signerOf('gateway')]);
  const asOperator = serviceClients({ signer: operator, role: 'operator', timeoutMs: TIMEOUT_MS });
  const asIntegrator = serviceClients({ signer: gatewaySigner, role: 'integrator', timeoutMs: TIMEOUT_MS });
  const clients = {
    // Admin APIs.
    gateway: asOperator('gateway', urls.gatewayInternal),
    schedulingAdmin: asOperator('scheduling', urls.schedulingInternal),
    calls: asOperator('calls', urls.callsInternal),
    settings: asOperator('settings-ui', urls.settingsUiInternal),
    // API v1, of the tenant named in each request.
    scheduling: asIntegrator('scheduling', urls.schedulingApi),
    crm: asIntegrator('crm', urls.crmApi),
  };
  return {
    ...clients,
    /** The gateway as providers reach it from here. */
    ingest: urls.gateway,
    async close() {
      await Promise.all(Object.values(clients).map((client) => client.stop()));
    },
  };
}
