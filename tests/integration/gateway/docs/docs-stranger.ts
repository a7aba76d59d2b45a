import { type Gateway, type GatewayWorld, randomAddress, startGatewayWorld } from '../gateway-world.ts';

export const PUBLIC_URL = 'https://desk.example.com';

export interface Text {
  status: number;
  headers: Headers;
  text: string;
}

/** The gateway of the test file, and its world. */
export let world: GatewayWorld;
export let gateway: Gateway;

/** Starts these for the tests of a file, and stops them. */
export function startGatewayWithDocs(): void {
  beforeAll(async () => {
    world = await startGatewayWorld();
    gateway = await world.startGateway({ PUBLIC_URL });
  });
  afterAll(() => world.stop());
}

/** A stranger's request, each from another address. */
export async function ask(path: string, init: RequestInit = {}): Promise<Text> {
  const headers = { 'x-forwarded-for': randomAddress(), ...(init.headers as Record<string, string>) };
  const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export const askAs = (accept: string, path: string) => ask(path, { headers: { accept } });
