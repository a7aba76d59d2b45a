import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type CallProviderName, callProvider } from '@frontdesk/contracts';
import { REPOSITORY } from '../repository.ts';

const FIXTURES = join(REPOSITORY, 'services/calls/fixtures');

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.form': 'application/x-www-form-urlencoded',
};

export interface Sample {
  provider: CallProviderName;
  body: string;
  contentType: string;
  /** As it stands in the body. */
  callId: string;
}

/** `<provider>/<case>` of every sample there is. */
export function sampleNames(): string[] {
  return globSync('*/*.{json,form}', { cwd: FIXTURES })
    .map((path) => path.replace(/\.\w+$/, ''))
    .sort();
}

/** @throws Error naming the way out when there is no such sample */
export function readSample(name: string): Sample {
  const wanted = name.replace(/\.(json|form)$/, '');
  const [path] = sampleNames().includes(wanted) ? globSync(`${wanted}.{json,form}`, { cwd: FIXTURES }) : [];
  if (!path) throw new Error(`There is no sample ${name}; --list names them.`);
  const provider = callProvider.parse(wanted.split('/')[0]);
  const contentType = CONTENT_TYPES[extname(path)] ?? '';
  const body = readFileSync(join(FIXTURES, path), 'utf8');
  return { provider, body, contentType, callId: CALL_ID[provider].exec(body)?.[1] ?? '' };
}

/** Where each provider's messages have the id of the call. */
const CALL_ID: Readonly<Record<CallProviderName, RegExp>> = {
  generic: /"provider_call_id": "([^"]+)"/,
  vapi: /"call": \{\s*"id": "([^"]+)"/,
  retell: /"call_id": "([^"]+)"/,
  twilio: /\b(CA[0-9a-f]{32})\b/,
};
