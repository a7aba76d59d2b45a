import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Gateway, gaugeOf } from './gateway-world.ts';
import { lines, open } from './raw-client.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Requests whose bodies are still to come, and which `end` breaks off. */
export function createUploads() {
  const sockets: Socket[] = [];
  return {
    /** Ready once the gateway has taken the head in, and asks for the body. */
    async start(gateway: Gateway, path: string, ...headers: string[]): Promise<Socket> {
      const socket = open(gateway.url);
      sockets.push(socket);
      socket.setEncoding('utf8');
      const head = [`POST ${path} HTTP/1.1`, 'Host: gateway', 'Connection: close', 'Expect: 100-continue'];
      socket.write(lines(...head, ...headers));
      const [said] = (await once(socket, 'data')) as [string];
      socket.pause();
      expect(said).toBe(CONTINUE);
      return socket;
    },
    end() {
      for (const socket of sockets.splice(0)) socket.destroy();
    },
  };
}

export const statusOf = (answer: string) => Number(answer.split(' ', 2)[1]);

/** What the gateway says that bodies hold of its memory. */
export const heldBytes = (gateway: Gateway) => gaugeOf(gateway, 'gateway_request_body_bytes');
