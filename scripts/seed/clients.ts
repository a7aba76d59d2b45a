import { join } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import { createIdentitySigner, createServiceClient, type ServiceClient } from '@frontdesk/service';

export interface SeedUrls {
  /** The gateway's public port, where messages of calls come in. */
  gateway: string;
  /** The gateway's internal port. */
  gatewayInternal: string;
  /** Scheduling's two ports. */
  schedulingApi: string;
  schedulingInternal: string;
  /** The crm's public port. */
  crmApi: string;
  /** The internal port of calls. */
  callsInternal: string;
  /** The internal port of settings-ui. */
  settingsUiInternal: string;
}

export interface SeedClients {
  /** Admin APIs, as the operator. */
  gateway: ServiceClient;
  schedulingAdmin: ServiceClient;
  calls: ServiceClient;
  settings: ServiceClient;
  /** API v1 as an integrator of the tenant named in each request. */
  scheduling: ServiceClient;
  crm: ServiceClient;
  /** The gateway as providers reach it from here. */
  ingest: string;
  close(): Promise<void>;
}

/** A machine that is starting everything at once answers slowly at first. */
const TIMEOUT_MS = 30_000;

/**
 * Clients for the operator's machine, which holds every issuer's private key. Customers and appointments are written as
 * an integrator whose identity is signed here with the gateway's key, on the services' own ports: going through the
 * gateway would use up the demo tenants' requests for the minute and the day.
 */
export async function createSeedClients(urls: SeedUrls, keysDirectory: string): Promise<SeedClients> {
  const signerOf = (issuer: Issuer) =>
    createIdentitySigner({ issuer, privateKeyFile: join(keysDirectory, `${issuer}.json`) });
  const [operator, gatewaySigner] = await Promise.all([signerOf('operator'), signerOf('gateway')]);
  const asOperator = { signer: operator, role: 'operator', timeoutMs: TIMEOUT_MS } as const;
  const asIntegrator = { signer: gatewaySigner, role: 'integrator', timeoutMs: TIMEOUT_MS } as const;

  const gateway = createServiceClient({ baseUrl: urls.gatewayInternal, audience: 'gateway', ...asOperator });
  const schedulingAdmin = createServiceClient({
    baseUrl: urls.schedulingInternal,
    audience: 'scheduling',
    ...asOperator,
  });
  const calls = createServiceClient({ baseUrl: urls.callsInternal, audience: 'calls', ...asOperator });
  const settings = createServiceClient({
    baseUrl: urls.settingsUiInternal,
    audience: 'settings-ui',
    ...asOperator,
  });
  const scheduling = createServiceClient({
    baseUrl: urls.schedulingApi,
    audience: 'scheduling',
    ...asIntegrator,
  });
  const crm = createServiceClient({ baseUrl: urls.crmApi, audience: 'crm', ...asIntegrator });
  return {
    gateway,
    schedulingAdmin,
    scheduling,
    crm,
    calls,
    settings,
    ingest: urls.gateway,
    async close() {
      const all = [gateway, schedulingAdmin, scheduling, crm, calls, settings];
      await Promise.all(all.map((client) => client.stop()));
    },
  };
}
