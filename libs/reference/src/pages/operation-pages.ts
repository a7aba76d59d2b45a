import {
  answerSchema,
  bodySchema,
  ERROR_STATUS,
  errorsOf,
  OPERATIONS,
  type Operation,
  querySchema,
  REQUEST_HEADERS,
  RESOURCES,
} from '@frontdesk/contracts';
import { EXAMPLE_CURSOR, exampleOfOperation } from '../examples/example-text.ts';
import type { Page, Reader } from '../page.ts';
import { pageLink } from '../rendering/links.ts';
import { capitalised, code, json, list, paragraphs, table } from '../rendering/markdown.ts';
import { answeredRecord, describedFields } from './described-fields.ts';
import { errorPath } from './error-pages.ts';
import { fieldTable, recordLink } from './field-table.ts';
import { exampleRecord } from './record-pages.ts';

const operationPath = ({ id }: Pick<Operation, 'id'>): string => `operations/${id}`;

export const operationPages = (): Page[] => OPERATIONS.map(operationPage);

function operationPage(operation: Operation): Page {
  const { title, method, description } = operation;
  const path = operationPath(operation);
  const [before, after] = [beforeExample(operation, path), afterExample(operation, path)];
  return {
    path,
    section: 'Operations',
    title,
    isPersonal: true,
    summary: `${method} ${operation.path}. ${description}`,
    markdown: (reader: Reader) => paragraphs(before, exampleOfOperation(operation, reader, path), after),
  };
}

function beforeExample(operation: Operation, path: string): string {
  const { method, path: route, title, description, scope, query, body } = operation;
  const headers = REQUEST_HEADERS.filter(({ name, isOf }) => name !== 'X-Request-Id' && isOf(operation));
  const required = { showsRequired: true };
  return paragraphs(
    `# ${title}`,
    `**${method}** ${code(route)}`,
    deprecation(operation),
    description,
    scope === null
      ? 'Every key may.'
      : `A key needs the [scope](${pageLink(path, 'requests')}#scopes) ${code(scope)}.`,
    query && `## Query\n\n${fieldTable(path, describedFields(querySchema(query)), required)}`,
    body && `## Body\n\n${fieldTable(path, describedFields(bodySchema(body)), required)}`,
    headers.length > 0 &&
      `Optional headers: ${headers.map(({ name }) => `[${code(name)}](${pageLink(path, 'requests')}#headers)`).join(', ')}.`,
    '## Example',
  );
}

/** Where the contract says so: what is going to go, and what takes its place. */
function deprecation({ deprecated }: Operation): string | false {
  if (!deprecated) return false;
  const { since, sunset, link } = deprecated;
  return `> **Deprecated** since ${since}. It may be gone from ${sunset} on: [what to do](${link}).`;
}

const PAGE_META = { page: 1, per_page: 20, total: 1 };
const FEED_META = { next_cursor: EXAMPLE_CURSOR, has_more: false };

function afterExample(operation: Operation, path: string): string {
  const { status, title, answer, hasEtag } = operation;
  const envelope = answerSchema(answer);
  const { name, isList } = answeredRecord(envelope);
  const metaFields = envelope.properties?.meta?.properties;
  const isFeed = metaFields !== undefined && 'has_more' in metaFields;
  const link = recordLink(path, name);
  const explained = isFeed
    ? `[the feed’s](${pageLink(path, 'events')})`
    : `a [page’s](${pageLink(path, 'lists')})`;
  const meta = metaFields ? ` and ${explained} ${code('meta')}` : '';
  const record = exampleRecord(name);
  const shown = {
    success: true,
    data: isList ? [record] : record,
    ...(metaFields && { meta: isFeed ? FEED_META : PAGE_META }),
  };
  const errors = errorsOf(operation)
    .map((error) => `${ERROR_STATUS[error]} [${code(error)}](${pageLink(path, errorPath(error))})`)
    .toSorted();
  return paragraphs(
    '## Answer',
    `${code(String(status))} with ${isList ? `a list of ${link}` : `one ${link}`} as ${code('data')}${meta}${hasEtag ? `, and an [${code('ETag')}](${pageLink(path, 'requests')}#etag-if-match-and-if-none-match)` : ''}:`,
    json(`the answer of ${title}`, shown),
    '## Errors',
    list(errors),
  );
}

/** All operations, by what they are about. */
export const operationTables = (from: string): string =>
  RESOURCES.map((resource) =>
    paragraphs(
      `### ${capitalised(resource)}`,
      table(
        ['Operation', 'Request'],
        OPERATIONS.filter((one) => one.resource === resource).map((operation) => [
          `[${operation.title}](${pageLink(from, operationPath(operation))})`,
          `${operation.method} ${code(operation.path)}`,
        ]),
      ),
    ),
  ).join('\n\n');
