export { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.ts';
export { INGEST_PATH } from './ingest.ts';
export { openApiDocument } from './openapi.ts';
export {
  answerSchema,
  bodySchema,
  querySchema,
  RECORDS,
  type RecordName,
  recordOf,
  type WireSchema,
} from './wire-schema.ts';
