import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Text must hold no tab, backslash or line break. */
export type Cell = string | number | null;

const CHUNK_CHARACTERS = 65_536;

function* chunksOf(rows: Iterable<Cell[]>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.map((cell) => cell ?? '\\N').join('\t')}\n`;
    if (chunk.length > CHUNK_CHARACTERS) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** Streams rows into a table by COPY; cells in the order of the columns. */
export async function copyInto(
  client: Client,
  table: string,
  columns: string,
  rows: Iterable<Cell[]>,
): Promise<void> {
  await pipeline(
    Readable.from(chunksOf(rows)),
    client.query(copyFrom(`copy ${table} (${columns}) from stdin`)),
  );
}
