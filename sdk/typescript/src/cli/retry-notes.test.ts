import { apiErrorOf, ConnectionError } from '../errors.ts';
import { createFaultNotes } from './retry-notes.ts';

const refused = (retryAfterMs: number | null) =>
  apiErrorOf({
    code: 'rate_limited',
    status: 429,
    message: 'Too many requests.',
    errors: {},
    requestId: null,
    data: undefined,
    retryAfterMs,
    headers: new Headers(),
  });

function notesOf(error: ConnectionError | ReturnType<typeof refused>, times: number, waitMs: number) {
  const lines: string[] = [];
  const notes = createFaultNotes({ note: (line) => void lines.push(line) });
  for (let failures = 1; failures <= times; failures += 1) notes.fault({ error, failures, waitMs });
  return lines;
}

it('says of each wait beyond two seconds that an answer asks for how long it is', () => {
  const line = 'No events: Too many requests. Trying again in 31 s.';
  expect(notesOf(refused(30_000), 7, 30_200)).toEqual(Array.from({ length: 7 }, () => line));
});

it('says of an outage a handful of lines', () => {
  expect(notesOf(new ConnectionError('no connection'), 100, 30_000)).toHaveLength(7);
  expect(notesOf(refused(1_000), 100, 1_100)).toHaveLength(7);
});
