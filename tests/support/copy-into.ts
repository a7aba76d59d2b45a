import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Column → value, in the same order in all rows of a table. Text must hold no tab, backslash or line break. */
export type Row = Record<string, string | number | null>;

const CHUNK_CHARACTERS = 65_536;

function* chunksOf(first: Row, others: Iterator<Row>): Generator<string> {
  let chunk = '';
  for (let row: Row | undefined = first; row; row = others.next().value) {
    const cells = Object.values(row).map((value) => value ?? '\\N');
    chunk += `${cells.join('\t')}\n`;
    if (chunk.length > CHUNK_CHARACTERS) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** Streams rows into a table by COPY. */
export async function copyInto(client: Client, table: string, rows: Iterable<Row>): Promise<void> {
  const others = rows[Symbol.iterator]();
  const first: Row | undefined = others.next().value;
  if (first === undefined) return;
  await pipeline(
    Readable.from(chunksOf(first, others)),
    client.query(copyFrom(`copy ${table} (${Object.keys(first).join(', ')}) from stdin`)),
  );
}
