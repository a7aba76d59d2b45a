import { freePorts } from '@frontdesk/local-stack';

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
