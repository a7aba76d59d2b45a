import { randomInt } from 'node:crypto';
import type { App } from '@frontdesk/service';

const JSON_TYPE = 'application/json';

const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

export type Browser = ReturnType<typeof createBrowser>;

/** A client with a jar for cookies, at an address of its own. It talks as browsers do, or as programs do in JSON. */
export function createBrowser(api: App, address = newAddress()) {
  const jar = new Map<string, string>();
  let csrfToken = '';

  const send = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    payload?: string | Buffer,
  ) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await api.inject({
      method,
      url,
      headers: { 'x-forwarded-for': address, ...(cookie && { cookie }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };

  const json = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    token = csrfToken,
  ) => {
    const headers = {
      accept: JSON_TYPE,
      ...(method !== 'GET' && { 'x-csrf-token': token }),
      ...(body && { 'content-type': JSON_TYPE }),
    };
    const answer = await send(method, url, headers, body && JSON.stringify(body));
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.json(),
      cookies: answer.cookies,
    };
  };

  const html = async (url: string) => {
    const answer = await send('GET', url, { accept: 'text/html' });
    return { status: answer.statusCode, headers: answer.headers, page: answer.body };
  };

  return {
    jar,
    send,
    address,
    json,
    html,
    csrfToken: () => csrfToken,
    /** Sends a form as a page of ours does, with the token that its pages carry. */
    async form(url: string, fields: Record<string, string | string[]>, headers: Record<string, string> = {}) {
      const pairs = Object.entries({ _csrf: csrfToken, ...fields }).flatMap(([name, values]) =>
        [values].flat().map((value) => [name, value]),
      );
      const payload = new URLSearchParams(pairs).toString();
      const type = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await send('POST', url, { ...type, ...headers }, payload);
      return { status: answer.statusCode, headers: answer.headers, page: answer.body };
    },
    /** Sends a form with a file, as a page of ours does. */
    async upload(url: string, fields: Record<string, string>, [field, file]: [string, File]) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ _csrf: csrfToken, ...fields })) form.append(name, value);
      form.append(field, file);
      const body = new Response(form);
      const headers = { accept: 'text/html', 'content-type': body.headers.get('content-type') ?? '' };
      const answer = await send('POST', url, headers, Buffer.from(await body.arrayBuffer()));
      return { status: answer.statusCode, headers: answer.headers, page: answer.body };
    },
    async signIn(email: string, password: string) {
      const answer = await json('POST', '/settings/sign-in', { email, password });
      csrfToken = answer.body.data?.csrf_token ?? '';
      return answer;
    },
  };
}
