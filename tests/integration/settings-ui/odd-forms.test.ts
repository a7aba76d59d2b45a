import { IDENTITY_HEADER } from '@frontdesk/contracts';
import {
  isUnicode,
  jsonObject,
  LARGE_VALUES,
  ODD_BODIES,
  ODD_VALUES,
  oddFormFields,
} from '../../support/odd-values.ts';
import { formsOf, refusalsIn } from './form-fields.ts';
import type { Browser } from './inject-browser.ts';
import { RIGHT_VALUES, startOddFormsWorld } from './odd-forms-world.ts';
import type { Route } from './registered-routes.ts';

/** One tries a few values in each field; about forty try all of them. */
const ROUNDS = Number(process.env.ODD_INPUT_ROUNDS ?? 1);
const MINUTES = 60_000;
jest.setTimeout(15 * MINUTES * ROUNDS);

/** Tried in each field of each page; of all other values each round takes the next few. */
const ALWAYS = ['{"isEscaped":true,"callbacks":1}', '{"toString":1}'];
const OTHERS_A_ROUND = 2;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ACCEPTED = ['text/html', JSON_TYPE] as const;
/** Known to every page, by its address. */
const QUERY_OF_ALL = ['done', 'date', 'next'];

let world: Awaited<ReturnType<typeof startOddFormsWorld>>;
let admin: Browser;
beforeAll(async () => {
  world = await startOddFormsWorld();
  admin = await world.signIn();
});
afterAll(() => world.stop());

interface Sent {
  url: string;
  type: string;
  payload: string | undefined;
  accept?: string;
  /** A field that the route knows has a value that it can't take. */
  isWrong: boolean;
}

let next = 0;
const nextOf = <Value>(values: readonly Value[], count: number): Value[] =>
  Array.from({ length: count }, () => values[next++ % values.length] as Value);

const inJson = ({ body }: Route, url: string, payload: string): Sent => ({
  url,
  type: JSON_TYPE,
  payload,
  isWrong: body !== undefined && isRefused(body, payload),
});

/** What would reach an object’s prototype is taken out of JSON before anybody judges it. */
const TAKEN_OUT = /"__proto__":|"constructor":\{"prototype":/;

function isRefused(body: NonNullable<Route['body']>, payload: string): boolean {
  if (TAKEN_OUT.test(payload)) return false;
  try {
    return !body.safeParse(JSON.parse(payload) ?? {}).success;
  } catch {
    return false;
  }
}

/** Everything that one round sends to a route. */
function* sentTo(route: Route): Generator<Sent> {
  const path = world.pathOf(route);
  for (const name of [...route.queryFields, ...QUERY_OF_ALL]) {
    for (const query of nextOf(oddFormFields(name), 1)) {
      const url = `${path}?${query.slice(0, 20_000)}`;
      yield { url, type: JSON_TYPE, payload: undefined, isWrong: false };
    }
  }
  if (route.method === 'GET') return;

  const fields = [...new Set([...route.bodyFields, '_csrf', 'version'])];
  const right = Object.fromEntries(
    fields.flatMap((name) => (RIGHT_VALUES[name] === undefined ? [] : [[name, RIGHT_VALUES[name]]])),
  );
  yield inJson(route, path, jsonObject(right));
  for (const { json } of nextOf(ODD_BODIES, 2)) yield inJson(route, path, json);
  for (const { json } of [...nextOf(LARGE_VALUES, 1), ...nextOf(ODD_VALUES, 1)])
    yield inJson(
      route,
      path,
      jsonObject(Object.fromEntries(fields.map((name) => [name, short(json, fields)]))),
    );
  for (const name of fields) {
    for (const json of ALWAYS)
      yield { ...inJson(route, path, jsonObject({ ...right, [name]: json })), accept: 'text/html' };
    for (const { json } of nextOf(ODD_VALUES, OTHERS_A_ROUND))
      yield inJson(route, path, jsonObject({ ...right, [name]: json }));
    for (const payload of nextOf(oddFormFields(name), 1))
      yield { url: path, type: FORM_TYPE, payload, isWrong: false };
  }
}

/** In every field at once, a large value would be more than a body may hold. */
const short = (json: string, fields: readonly string[]) =>
  json.length * fields.length < 1_000_000 ? json : '[[[["a"]]]]';

/** Signed in, or an operator on the internal port. */
async function send(route: Route, sent: Sent, accept: string, isSignedIn: boolean) {
  const { method, isInternal } = route;
  const { url, type, payload } = sent;
  const headers = { accept, ...(payload !== undefined && { 'content-type': type }) };
  const body = payload !== undefined && { payload };
  if (isInternal) {
    const identity = isSignedIn ? { [IDENTITY_HEADER]: await world.operatorToken() } : {};
    return world.settings.internal.inject({ method, url, headers: { ...headers, ...identity }, ...body });
  }
  const stranger = world.newBrowser();
  const browser = isSignedIn ? admin : stranger;
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  // Each at an address of its own: sign-ins and links are counted by it.
  const own = { 'x-forwarded-for': stranger.address, 'x-csrf-token': browser.csrfToken(), cookie };
  return world.settings.api.inject({ method, url, headers: { ...headers, ...own }, ...body });
}

type Answer = Awaited<ReturnType<typeof send>>;

/** A refusal speaks the language that was asked for, and is ours. */
function isOurs({ statusCode, headers, body }: Answer, { isInternal }: Route, accept: string): boolean {
  if (statusCode < 400) return true;
  const isPage = accept === 'text/html' && !isInternal;
  if (isPage) return body.startsWith('<!doctype html>') && headers['x-request-id'] !== undefined;
  return JSON.parse(body).success === false;
}

/** Nobody needs a session for them, and what they answer says nothing of one. */
const FOR_EVERYBODY = /^\/settings\/(sign-in(\/business)?|forgot|reset|address|invitation)$/;
const isSessionOver = ({ statusCode, headers }: Answer, { url }: Route) =>
  !FOR_EVERYBODY.test(url) &&
  ([401, 403].includes(statusCode) || String(headers.location).startsWith('/settings/sign-in'));

/** Too little, too much, and of a wrong kind. */
const WRONG_TEXTS = [undefined, '', 'x'.repeat(3_000), '-1'];

it('pages refuse a field by its label, never by the name that programs use', async () => {
  const pages = world.routes.filter(
    ({ method, isInternal, isLive }) => method === 'GET' && !isInternal && !isLive,
  );
  const said: string[] = [];
  for (const route of pages) {
    const { headers, page } = await admin.html(world.pathOf(route));
    if (!String(headers['content-type']).startsWith('text/html')) continue;
    for (const { action, names } of formsOf(page).filter(({ names }) => names.length > 0))
      for (const text of WRONG_TEXTS) {
        const fields = text === undefined ? {} : Object.fromEntries(names.map((name) => [name, text]));
        const sent = { is_form: 'true', has_services: '1', ...fields };
        said.push(
          ...refusalsIn((await admin.form(action, sent)).page).map((refusal) => `${action}: ${refusal}`),
        );
      }
  }
  expect(said.length).toBeGreaterThan(50);
  expect(said.filter((text) => /\w_\w|^The \S+ field/.test(text.split(': ')[1] ?? ''))).toEqual([]);
});

it('whatever stands in whatever field of whatever route: an answer of ours, and never a 5xx', async () => {
  const { routes } = world;
  expect(routes.length).toBeGreaterThan(90);
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  let refusedByField = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const route of routes) {
      for (const sent of sentTo(route)) {
        const accept = sent.accept ?? ACCEPTED[next % ACCEPTED.length] ?? JSON_TYPE;
        // Signed in, a stream goes on for a minute.
        const isSignedIn = !route.isLive && next % 16 !== 0;
        next += 1;
        const answer = await send(route, sent, accept, isSignedIn);
        const { statusCode: status } = answer;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const isOpenTo = isSignedIn && !isSessionOver(answer, route);
        // Half a surrogate pair is no text in any field.
        const refusals = [404, 413, isUnicode(sent.payload ?? '') ? 422 : 400];
        const isTaken = sent.isWrong && isOpenTo && !refusals.includes(status);
        if (sent.isWrong && status === 422) refusedByField += 1;
        if (status >= 500 || isTaken || !isOurs(answer, route, accept))
          wrong.push(
            `${status} ${accept} ${route.method} ${sent.url.slice(0, 200)} ${sent.payload?.slice(0, 300)}`,
          );
        if (isSignedIn && !route.isInternal && isSessionOver(answer, route)) admin = await world.signIn();
      }
    }
  }
  if (process.env.ODD_INPUT_ROUNDS) console.log(ROUNDS, 'rounds', [...statuses]);
  expect(wrong).toEqual([]);
  // None of the above was said of nothing.
  expect(refusedByField).toBeGreaterThan(300);
  expect(statuses.get(200)).toBeGreaterThan(50);
  expect(statuses.get(303)).toBeGreaterThan(50);
});
