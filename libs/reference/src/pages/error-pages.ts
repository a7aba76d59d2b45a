import {
  ERROR_MEANINGS,
  ERROR_STATUS,
  type ErrorCode,
  errorsOf,
  INNER_ERROR_MEANINGS,
  OPERATIONS,
  type PublicErrorCode,
} from '@frontdesk/contracts';
import type { Page } from '../page.ts';
import { pageLink } from '../rendering/links.ts';
import { code, codeBlock, list, paragraphs, table } from '../rendering/markdown.ts';
import { ERROR_ADVICE } from './error-advice.ts';

const ERROR_CODES = Object.keys(ERROR_MEANINGS) as PublicErrorCode[];

const REQUEST_ID = '0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44';

export const errorPath = (error: ErrorCode): string => `errors/${error}`;

/** A page for each code that API v1 answers with. */
export const errorPages = (): Page[] =>
  ERROR_CODES.map((error) => {
    const path = errorPath(error);
    const { cause, cure, message, headers = {}, more } = ERROR_ADVICE[error];
    const status = ERROR_STATUS[error];
    const body = { success: false, code: error, message, request_id: REQUEST_ID, ...more };
    const head = [
      `HTTP/1.1 ${status}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    const answer = [...head, '', JSON.stringify(body, null, 2)].join('\n');
    const operations = OPERATIONS.filter((operation) => errorsOf(operation).includes(error));
    const isOfSome = operations.length > 0 && operations.length < OPERATIONS.length;
    const links = list(
      operations.map(({ id, title }) => `[${title}](${pageLink(path, `operations/${id}`)})`),
    );
    const text = paragraphs(
      `# ${error}`,
      `**${status}.** ${ERROR_MEANINGS[error]}`,
      `## Cause\n\n${cause}`,
      `## What to do\n\n${cure}`,
      `## Example\n\n${codeBlock('http', `the answer with ${error}`, answer)}`,
      isOfSome && `## Operations that answer with it\n\n${links}`,
      `All codes: [Errors](${pageLink(path, 'errors')}).`,
    );
    const summary = `${status}. ${ERROR_MEANINGS[error]}`;
    return { path, section: 'Errors', title: error, summary, isPersonal: false, markdown: () => text };
  });

export const errorTable = (from: string): string =>
  table(
    ['Code', 'Status', 'Meaning'],
    ERROR_CODES.map((error) => [
      `[${code(error)}](${pageLink(from, errorPath(error))})`,
      String(ERROR_STATUS[error]),
      ERROR_MEANINGS[error],
    ]),
  );

/** Codes without a page of their own: no request to API v1 gets one. */
export const innerErrorTable = (): string =>
  table(
    ['Code', 'Status', 'Meaning'],
    Object.entries(INNER_ERROR_MEANINGS).map(([error, meaning]) => [
      code(error),
      String(ERROR_STATUS[error as ErrorCode]),
      meaning,
    ]),
  );
