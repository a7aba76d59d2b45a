// Parts of a page that follow what happens: each [data-live] names the stream of its markup, or of several parts' by their ids.

/** Longer than two beats of a stream, or a beat and a reconnect (live-streams.ts). A page without a beat for so long is not up to date. */
const SILENT_MS = 14_000;
/** Browsers give a stream up after some answers. Then it is asked for again. */
const AGAIN_AFTER_MS = 4_000;
const LOOK_EVERY_MS = 1_000;
const NO_CONTENT = 204;
const TOO_MANY_REQUESTS = 429;
/** Where the server doesn't say how long to wait after too many. */
const REST_MS = 60_000;
/** So that the tabs of a browser don't all come again at once. */
const MOST_APART_MS = 5_000;
const GOOD_NEWS_MS = 4_000;

/**
 * `heard`: when it last said something; `opened`: when it was last asked for. `isOver`: there is nothing to follow any more. `source` is
 * null while nothing is asked for.
 * @typedef {{ part: Element, source: EventSource | null, heard: number, opened: number, isOver: boolean }} Stream
 */

/** @type {Stream[]} */
let streams = [];
/** Streams were asked for too often: until then no more of them are. */
let restsUntil = 0;
/** What the page says of them. @type {'live' | 'resting' | 'silent' | 'over'} */
let said = 'live';
/** @type {ReturnType<typeof setTimeout> | undefined} */
let goodNews;
/** What people or scripts have changed about an element stays as it is. */
const KEPT = ['open', 'aria-busy', 'data-typed'];
/** What settings.js has said about a form that is still there. */
const SAID = '[data-said]';
/** Also by a button whose form is elsewhere. */
const SENDING = ':is(form, button[form])[aria-busy]';
/** The latest markup of parts in which a form is being sent: its answer shows the change, and what it says of it, at once. @type {Map<Element, string>} */
const held = new Map();

document.addEventListener('pageshown', follow);
document.addEventListener('visibilitychange', follow);
// calendar-move.js doesn't wait for the stream to show what it has changed.
document.addEventListener('partfetched', (event) => {
  const { part, markup } = /** @type {CustomEvent} */ (event).detail;
  show(part, markup);
});
document.addEventListener('formanswered', showHeld);
addEventListener('offline', look);
// The page is up to date again once each has said something.
addEventListener('online', () => {
  for (const stream of streams) {
    if (stream.isOver) continue;
    stream.heard = 0;
    if (Date.now() >= restsUntil) reopen(stream);
  }
  look();
});
setInterval(look, LOOK_EVERY_MS);
follow();

/** Follows all parts of the page while somebody looks. */
function follow() {
  const parts = document.hidden ? [] : [...document.querySelectorAll('[data-live]')];
  const now = Date.now();
  // Streams of parts that stay on the page go on: opening the side panel restarts none.
  const known = new Map(streams.map((stream) => [stream.part, stream]));
  for (const [part, { source }] of known) if (!parts.includes(part)) source?.close();
  for (const part of held.keys()) if (!parts.includes(part)) held.delete(part);
  streams = parts.map((part) => known.get(part) ?? streamOf(part, now));
  look();
}

/** @param {Element} part @param {number} now @returns {Stream} */
function streamOf(part, now) {
  /** @type {Stream} */
  const stream = { part, source: null, heard: now, opened: now, isOver: false };
  if (now >= restsUntil) reopen(stream);
  return stream;
}

/** @param {Element} part */
function addressOf(part) {
  return part.getAttribute('data-live') ?? '';
}

/** @param {Stream} stream @param {EventSource} source */
function listen(stream, source) {
  const { part } = stream;
  const hear = () => {
    stream.heard = Date.now();
    look();
  };
  source.addEventListener('beat', hear);
  source.addEventListener('message', ({ data }) => {
    const markup = JSON.parse(data);
    if (typeof markup === 'string') show(part, markup);
    else
      for (const [id, markupOfPart] of Object.entries(markup))
        show(document.getElementById(id), markupOfPart);
    hear();
  });
}

/** @param {Stream} stream */
function reopen(stream) {
  stream.source?.close();
  stream.opened = Date.now();
  stream.source = new EventSource(addressOf(stream.part));
  listen(stream, stream.source);
}

/** Whether the page is up to date; tries on where it is not, and says so. */
function look() {
  const now = Date.now();
  for (const stream of streams) {
    if (stream.isOver || now < restsUntil) continue;
    const isGivenUp = stream.source?.readyState === EventSource.CLOSED;
    if (!stream.source) reopen(stream);
    else if (isGivenUp && now - stream.opened > AGAIN_AFTER_MS) void askWhy(stream);
    // A connection that was cut off without a word looks open for minutes.
    else if (!isGivenUp && now - Math.max(stream.heard, stream.opened) > SILENT_MS) reopen(stream);
  }
  if (streams.some(({ isOver }) => isOver)) return say('over');
  const isBack = streams.every(({ heard }) => heard >= restsUntil);
  if (!isBack && navigator.onLine && now < restsUntil + SILENT_MS) return say('resting');
  const isSilent = !navigator.onLine || streams.some(({ heard }) => now - heard > SILENT_MS);
  say(streams.length > 0 && isSilent ? 'silent' : 'live');
}

/** Browsers don't say why they have given a stream up. @param {Stream} stream */
async function askWhy(stream) {
  stream.opened = Date.now();
  const asking = new AbortController();
  const signal = AbortSignal.any([asking.signal, AbortSignal.timeout(SILENT_MS)]);
  const answer = await fetch(addressOf(stream.part), { signal }).catch(() => null);
  asking.abort();
  if (!streams.includes(stream)) return;
  if (answer?.status === TOO_MANY_REQUESTS) return rest(Number(answer.headers.get('retry-after')) * 1_000);
  stream.isOver = answer?.status === NO_CONTENT;
  if (!stream.isOver) reopen(stream);
}

/** Asks for no stream for so long; those that are open stay. @param {number} waitMs */
function rest(waitMs) {
  restsUntil = Date.now() + (waitMs || REST_MS) + Math.random() * MOST_APART_MS;
  for (const stream of streams) {
    if (stream.source?.readyState !== EventSource.CLOSED) continue;
    stream.source = null;
  }
  look();
}

/** Says it once; what is shown stays. @param {typeof said} state */
function say(state) {
  const place = document.getElementById('live-state');
  if (!place || state === said) return;
  const isBack = (said === 'silent' || said === 'resting') && state === 'live' && streams.length > 0;
  said = state;
  clearTimeout(goodNews);
  const notice = Object.assign(document.createElement('p'), {
    className: `notice ${isBack ? 'good' : 'waiting'}`,
  });
  if (isBack) {
    notice.textContent = 'Connected again. The page is up to date.';
    goodNews = setTimeout(() => place.replaceChildren(), GOOD_NEWS_MS);
  } else if (state === 'silent') {
    notice.textContent = `${navigator.onLine ? 'Frontdesk can’t be reached.' : 'You are offline.'} This page may be out of date. It updates when the connection is back.`;
  } else if (state === 'resting') {
    notice.textContent =
      'Live updates were asked for too often, so this page may be out of date. It updates again within a minute or so.';
  } else if (state === 'over') {
    const again = Object.assign(document.createElement('a'), {
      href: location.href,
      textContent: 'Reload it',
    });
    notice.append(
      'This page no longer updates: you are signed out, your role has changed, or what it shows was deleted. ',
      again,
    );
  }
  place.replaceChildren(...(state === 'live' && !isBack ? [] : [notice]));
}

/** @param {Element | null} part @param {string} markup */
function show(part, markup) {
  if (!part) return;
  if (part.querySelector(SENDING)) return void held.set(part, markup);
  const fresh = document.createElement('template');
  fresh.innerHTML = markup;
  const arrived = { place: part, content: fresh.content };
  document.dispatchEvent(new CustomEvent('contentarrived', { detail: arrived }));
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  update(part, fresh.content);
  if (focused && !focused.isConnected) document.getElementById('main')?.focus();
  announce(part);
}

/** Nothing is being sent in these parts any more, and they are still there. */
function showHeld() {
  const parts = [...held];
  held.clear();
  for (const [part, markup] of parts) show(part, markup);
}

/** Announces the part's news to screen readers. @param {Element} part */
function announce(part) {
  const news = part.querySelector('[data-news]')?.getAttribute('data-news');
  const said = document.getElementById('live-news');
  if (said && news && said.textContent !== news) said.textContent = news;
}

/**
 * Makes what is within `shown` the same as what is within `fresh`. Nodes that are in both stay, and with them the focus, what is
 * typed, opened or scrolled. Elements with ids are the same where their ids are.
 * @param {Node} shown @param {Node} fresh
 */
function update(shown, fresh) {
  let place = afterSaid(shown.firstChild);
  for (const node of [...fresh.childNodes]) {
    const same = findSame(node, place);
    if (!same) {
      shown.insertBefore(node, place);
      continue;
    }
    if (same !== place) shown.insertBefore(same, place);
    place = afterSaid(same.nextSibling);
    if (same instanceof Element && node instanceof Element) updateElement(same, node);
    else same.nodeValue = node.nodeValue;
  }
  while (place) {
    const next = afterSaid(place.nextSibling);
    place.parentNode?.removeChild(place);
    place = next;
  }
}

/** The first node from here on that the server knows. @param {Node | null} node @returns {Node | null} */
function afterSaid(node) {
  let next = node;
  while (next instanceof Element && next.matches(SAID)) next = next.nextSibling;
  return next;
}

/** @param {Node} node @param {Node | null} place where it would stand @returns {Node | null} */
function findSame(node, place) {
  const id = idOf(node);
  for (let other = place; other; other = other.nextSibling) {
    if (other.nodeName === node.nodeName && idOf(other) === id) return other;
    if (id === '') return null;
  }
  return null;
}

/** @param {Node} node */
const idOf = (node) => (node instanceof Element ? node.id : '');

/** @param {Element} shown @param {Element} fresh */
function updateElement(shown, fresh) {
  if (shown.isEqualNode(fresh)) return;
  for (const { name, value } of [...fresh.attributes])
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const { name } of [...shown.attributes])
    if (!fresh.hasAttribute(name) && !KEPT.includes(name)) shown.removeAttribute(name);
  update(shown, fresh);
}
