import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Answer } from '../clients/backend-answer.ts';
import type { Upstream } from '../clients/upstream.ts';
import { downstreamHeaders } from '../domain/headers.ts';
import type { RequestContext } from './request-context.ts';

export interface Forward {
  upstream: Upstream;
  /** What the backend gets of the query. */
  query: string;
  /** What it gets of the client's headers. */
  headers: IncomingHttpHeaders;
  /** All of it; null where there is none. */
  body: Buffer | null;
  /** Whose room an answer takes that is not read as fast as it comes. */
  holder: number | string;
  /** Sees each answer before the client does; what it throws, the client gets instead. */
  screen(answer: Answer): void | Promise<void>;
}

/** Forwards a request to the backend under the same path, and the answer to the client. */
export async function forward(context: RequestContext, what: Forward): Promise<void> {
  const { method, response } = context;
  const { upstream, query, headers, body, holder, screen } = what;
  const path = query === '' ? context.path : `${context.path}?${query}`;
  const answer = await upstream.call({ method, path, headers, body }, response, holder);
  try {
    // Mostly there is nothing to wait for.
    const screened = screen(answer);
    if (screened) await screened;
  } catch (error) {
    answer.drop();
    throw error;
  }
  if (response.destroyed) return answer.drop();
  const sent: OutgoingHttpHeaders = downstreamHeaders(answer.headers);
  const length = answer.length();
  if (length !== null) sent['content-length'] = length;
  response.writeHead(answer.status, Object.assign(sent, context.headers));
  answer.sendBody(response);
}
