import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../processes.ts';

/** As much of an OpenAPI document as is looked at here. */
interface Description {
  paths: Record<string, object>;
  webhooks: Record<string, { post: { requestBody: object } }>;
}

/** An operation may be gone this long after it was deprecated: docs/compatibility.md. */
const NOTICE_DAYS = '365';

/**
 * What of the next description breaks a client of the last one, a line for each change.
 * @param oasdiff where the tool is
 */
export async function breakingChanges(oasdiff: string, last: object, next: object): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-descriptions-'));
  try {
    const [lastFile, nextFile] = ['last.json', 'next.json'].map((name) => join(directory, name)) as [
      string,
      string,
    ];
    await writeFile(lastFile, JSON.stringify(asClientsSeeIt(last as Description)));
    await writeFile(nextFile, JSON.stringify(asClientsSeeIt(next as Description)));
    const args = [
      'breaking',
      lastFile,
      nextFile,
      '--format',
      'json',
      '--deprecation-days-stable',
      NOTICE_DAYS,
    ];
    const { code, output } = await runToEnd(oasdiff, args, {});
    if (code !== 0) throw new Error(`oasdiff ended with ${code}: ${output}`);
    const changes = JSON.parse(output || '[]') as {
      id: string;
      operation?: string;
      path?: string;
      text: string;
    }[];
    return changes.map(({ id, operation, path, text }) => [operation, path, text, `(${id})`].join(' '));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Webhooks as answers: receivers read them as clients read those, so that the same changes break them. */
function asClientsSeeIt({ webhooks, ...description }: Description): object {
  const events = Object.entries(webhooks).map(([event, { post }]) => [
    `/webhooks/${event}`,
    { get: { responses: { 200: { description: event, ...post.requestBody } } } },
  ]);
  return { ...description, paths: { ...description.paths, ...Object.fromEntries(events) } };
}
