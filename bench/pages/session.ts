import type { Pool } from 'undici';
import type { DemoTenant } from '../../scripts/seed/index.ts';

export type Session = Awaited<ReturnType<typeof signIn>>;

/** Signs an admin in, as a browser without pages does. */
export async function signIn(pool: Pool, admin: DemoTenant['admin']) {
  const asked = (cookie: string, csrf: string) => ({
    'content-type': 'application/json',
    ...(cookie && { cookie, 'x-csrf-token': csrf }),
  });
  const ask = async (method: 'GET' | 'POST', path: string, headers: object, body?: object) => {
    const answer = await pool.request({
      method,
      path,
      headers: { ...headers },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  const { status, headers, text } = await ask('POST', '/settings/sign-in', asked('', ''), admin);
  if (status !== 200) throw new Error(`sign-in: ${status} ${text}`);
  const cookie = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]);
  const all = asked(cookie.join('; '), JSON.parse(text).data.csrf_token);
  return {
    page: (path: string) => ask('GET', path, { ...all, 'content-type': 'text/html', accept: 'text/html' }),
    post: (path: string, body: object) => ask('POST', path, all, body),
    /** Opens a stream and leaves it at its first bytes. */
    async open(path: string) {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path,
        headers: { ...all, accept: 'text/event-stream' },
      });
      for await (const _ of body) break;
      return { status: statusCode };
    },
  };
}
