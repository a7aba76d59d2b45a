import { type Gateway, randomAddress } from './gateway-world.ts';

export interface Text {
  status: number;
  headers: Headers;
  text: string;
}

export type Ask = (path: string, init?: RequestInit) => Promise<Text>;

/** Requests of a stranger to the documentation, each from another address. */
export const strangerOf =
  (gateway: Gateway): Ask =>
  async (path, init = {}) => {
    const headers = { 'x-forwarded-for': randomAddress(), ...(init.headers as Record<string, string>) };
    const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
