import { connect, type Socket } from 'node:net';

/** Sends exactly these bytes and reads until the gateway closes; say `Connection: close` in them. */
export async function sendRaw(
  url: string,
  bytes: string,
): Promise<{ status: number; head: string; body: string }> {
  const socket = open(url);
  socket.write(bytes);
  const answer = (await answerOn(socket)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const [head = '', ...body] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: body.join('\r\n\r\n') };
}

/** All that is said until the connection ends. Where what was sent was too much to be read, a reset ends it. */
export async function answerOn(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) chunks.push(Buffer.from(chunk));
  } catch (error) {
    if (chunks.length === 0) throw error;
  }
  return Buffer.concat(chunks).toString();
}

export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

export const lines = (...text: string[]) => `${text.join('\r\n')}\r\n\r\n`;

/** A body in the chunked transfer coding. */
export function chunked(size: number, chunkSize = 64 * 1024): string {
  const chunk = `${chunkSize.toString(16)}\r\n${'x'.repeat(chunkSize)}\r\n`;
  return `${chunk.repeat(Math.ceil(size / chunkSize))}0\r\n\r\n`;
}
