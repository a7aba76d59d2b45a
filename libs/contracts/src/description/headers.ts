import type { Operation } from '../operations/index.ts';

interface DescribedHeader {
  name: string;
  description: string;
  isOf: (operation: Operation) => boolean;
}

const ofAll = () => true;

/** Whether the answer is 304 while the record is as the client knows it. */
export const mayBeUnchanged = ({ method, hasEtag }: Operation) => method === 'GET' && hasEtag === true;

/** What a request may carry beside its key. */
export const REQUEST_HEADERS: readonly DescribedHeader[] = [
  {
    name: 'Idempotency-Key',
    description:
      'Up to 255 visible ASCII characters. Sent again with the same body within 24 hours, the request has no second effect and gets the first answer.',
    isOf: ({ method }) => method === 'POST',
  },
  {
    name: 'If-Match',
    description:
      'The ETag of the record as you know it: it changes only if nobody else has changed it since.',
    isOf: ({ takesIfMatch }) => takesIfMatch === true,
  },
  {
    name: 'If-None-Match',
    description:
      'The ETag of the record as you know it: the answer is 304 without a body while it is the same.',
    isOf: mayBeUnchanged,
  },
  {
    name: 'X-Request-Id',
    description: 'Up to 128 letters, digits, dots, dashes and underscores; comes back with the answer.',
    isOf: ofAll,
  },
];

/** What an answer carries. */
export const ANSWER_HEADERS: readonly DescribedHeader[] = [
  {
    name: 'ETag',
    description: 'The record’s version.',
    isOf: ({ hasEtag }) => hasEtag === true,
  },
  {
    name: 'Idempotent-Replayed',
    description: 'true where this repeats the first answer.',
    isOf: ({ method }) => method === 'POST',
  },
  { name: 'X-Request-Id', description: 'Identifies this request when you ask for help.', isOf: ofAll },
  { name: 'X-RateLimit-Limit', description: 'Requests that the tighter window allows.', isOf: ofAll },
  { name: 'X-RateLimit-Remaining', description: 'Requests left in it.', isOf: ofAll },
  { name: 'X-RateLimit-Reset', description: 'When it resets, in seconds since 1970.', isOf: ofAll },
  { name: 'RateLimit-Policy', description: 'Both windows of the plan.', isOf: ofAll },
  { name: 'RateLimit', description: 'What is left of both.', isOf: ofAll },
];
