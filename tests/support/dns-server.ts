import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** What a name server says to the `nth` question (from 1) for one kind of address; `silent`: nothing, ever. */
type Answer = string[] | 'silent';

export interface DnsServer {
  /** host:port, as DNS_SERVERS takes it. */
  address: string;
  /** From now on; other names don't exist. Addresses of both families may be given; valid for no time by default. */
  answer: (name: string, answer: (nth: number) => Answer, ttlSeconds?: number) => void;
  /** How often the name's IPv4 addresses have been asked for. */
  questions: (name: string) => number;
  close: () => Promise<void>;
}

const BYTES_OF_TYPE: Record<number, number> = { 1: 4, 28: 16 }; // A and AAAA
const HEADER_BYTES = 12;
const IS_ANSWER = 0x8180;
const NO_SUCH_NAME = 3;

/** A real name server on UDP. */
export async function startDnsServer(): Promise<DnsServer> {
  const answers = new Map<string, { answer: (nth: number) => Answer; ttlSeconds: number }>();
  const counts = new Map<string, number>();
  const socket = createSocket('udp4');

  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const count = (counts.get(`${type} ${name}`) ?? 0) + 1;
    counts.set(`${type} ${name}`, count);
    const { answer: answerOf, ttlSeconds = 0 } = answers.get(name) ?? {};
    const answer = answerOf?.(count);
    if (answer === 'silent') return;
    const records = (answer ?? []).map(bytesOf).filter(({ length }) => length === BYTES_OF_TYPE[type]);
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(IS_ANSWER | (answer ? 0 : NO_SUCH_NAME), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const reply = [
      header,
      query.subarray(HEADER_BYTES, end),
      ...records.map((data) => recordOf(type, ttlSeconds, data)),
    ];
    socket.send(Buffer.concat(reply), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    answer: (name, answer, ttlSeconds = 0) => void answers.set(name, { answer, ttlSeconds }),
    questions: (name) => counts.get(`1 ${name}`) ?? 0,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(type: number, ttlSeconds: number, data: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0); // the name is the one in the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttlSeconds, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  // URL writes the groups in hex, whatever the address was written like.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text = '') =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(left), groups(right)];
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
