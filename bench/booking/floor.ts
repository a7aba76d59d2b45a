import { Client } from 'pg';
import { Pool } from 'undici';
import { startService } from '../../tests/support/service-process.ts';
import type { Call } from '../support/load.ts';

const CONNECTIONS = 64;
const HALF_HOUR_MS = 1_800_000;
const RESOURCES = 400;

export interface Floor {
  /** One request that writes or reads as little as can be, and answers with so many bytes. */
  write(bytes: number): Call;
  read(bytes: number): Call;
  pids: [name: string, pid: number][];
}

/** A bare proxy before a bare booking server, with a database of its own on the same PostgreSQL. */
export async function startFloor(adminUrl: string, resources: AsyncDisposableStack): Promise<Floor> {
  const databaseUrl = await createFloorDatabase(adminUrl);
  const start = async (entry: string, env: Record<string, string>) => {
    const service = await startService(entry, env);
    resources.defer(async () => void (await service.stop()));
    return service;
  };
  const server = await start('bench/booking/bare-booking.ts', { DATABASE_URL: databaseUrl });
  const proxy = await start('bench/gateway/bare-proxy.ts', {
    UPSTREAM_URL: server.url,
  });
  const pool = new Pool(proxy.url, { connections: CONNECTIONS });
  resources.defer(() => pool.close());

  let booked = 0;
  const send = async (path: string, expected: number, body?: object) => {
    const answer = await pool.request({
      method: body ? 'POST' : 'GET',
      path,
      headers: body ? { 'content-type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== expected) throw new Error(`${answer.statusCode} ${text}`);
    return text.length;
  };
  const booking = (n: number) => {
    const from = Date.UTC(2030, 0, 1) + Math.floor(n / RESOURCES) * HALF_HOUR_MS;
    const [start, end] = [from, from + HALF_HOUR_MS].map((time) => new Date(time).toISOString());
    return { resource_id: n % RESOURCES, from: start, until: end, notes: 'As always' };
  };
  return {
    write: (bytes) => () => send(`/api/v1/floor?bytes=${bytes}`, 201, booking(booked++)),
    read: (bytes) => () => send(`/api/v1/floor?bytes=${bytes}`, 200),
    pids: [
      ['bare proxy', proxy.pid],
      ['bare server', server.pid],
    ],
  };
}

async function createFloorDatabase(adminUrl: string): Promise<string> {
  const run = async (url: string, sql: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(adminUrl, 'create database bench_floor');
  const databaseUrl = Object.assign(new URL(adminUrl), { pathname: '/bench_floor' }).toString();
  await run(
    databaseUrl,
    `create extension btree_gist;
     create table bookings (id bigint generated always as identity primary key, resource_id bigint not null,
       occupied tstzrange not null, notes text, exclude using gist (resource_id with =, occupied with &&));
     create table outbox (id bigint generated always as identity primary key, envelope json not null);`,
  );
  return databaseUrl;
}
