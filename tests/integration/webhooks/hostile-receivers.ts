import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const FLOOD_BYTES = 200 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const DRIP_MS = 1_000;

export interface HostileReceiver {
  url: string;
  requests: () => number;
  /** Requests that are under way now, and as many as there ever were at once; of one path, where it is given. */
  open: () => number;
  mostAtOnce: (path?: string) => number;
  /** Of each answer that has ended: what was handed to its socket, and whether it was cut off before its end. */
  answers: { bytes: number; isCutOff: boolean }[];
  close: () => Promise<void>;
}

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** What a receiver may do to its sender instead of answering it. */
export const HOSTILITIES = {
  hang: () => {},
  reset: (_response, { socket }) => socket.resetAndDestroy(),
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  drip(response) {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), DRIP_MS);
    response.once('close', () => clearInterval(drops));
    response.write('.');
  },
  flood(response) {
    response.writeHead(200, { 'content-length': FLOOD_BYTES });
    let left = FLOOD_BYTES / CHUNK.length;
    const pour = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(CHUNK)) return;
      }
      response.end();
    };
    response.on('drain', pour);
    pour();
  },
} satisfies Record<string, Behaviour>;

export type Hostility = keyof typeof HOSTILITIES;

/** A real HTTP server that treats every request so, and keeps count. */
export async function startHostileReceiver(hostility: Hostility): Promise<HostileReceiver> {
  const behave: Behaviour = HOSTILITIES[hostility];
  const answers: HostileReceiver['answers'] = [];
  const openAt = new Map<string, number>();
  const mostAt = new Map<string, number>();
  let open = 0;
  let most = 0;
  let requests = 0;

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const { socket } = request;
    const bytesBefore = socket.bytesWritten;
    requests += 1;
    open += 1;
    most = Math.max(most, open);
    openAt.set(path, (openAt.get(path) ?? 0) + 1);
    mostAt.set(path, Math.max(mostAt.get(path) ?? 0, openAt.get(path) ?? 0));
    response.once('close', () => {
      open -= 1;
      openAt.set(path, (openAt.get(path) ?? 0) - 1);
      answers.push({ bytes: socket.bytesWritten - bytesBefore, isCutOff: !response.writableFinished });
    });
    request.resume().once('end', () => behave(response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    open: () => open,
    mostAtOnce: (path) => (path === undefined ? most : (mostAt.get(path) ?? 0)),
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
