// Opens an appointment, a customer or a call beside what one looks at, and what is done to it there. Without it, on narrow screens and
// with a modifier key, links lead to the pages themselves.

/** Below that there is no room beside. */
const WIDE = matchMedia('(min-width: 56.25rem)');
/** Pages from which records open beside. */
const LISTS = /^\/settings(\/calendar(\/week)?|\/customers|\/calls(\/missed)?)?$/;
const RECORDS = /^\/settings\/(calendar\/appointments|customers|calls)\/\d+$/;
/** Pages that only what is open beside leads to, and that stay there. */
const STEPS = /^\/settings\/(calendar\/(book|appointments\/\d+\/(move|edit))|customers\/\d+\/edit)$/;
const SIGN_IN = '/settings/sign-in';
/** Ids of the page beside begin with it, so that none is there twice. */
const PREFIX = 'beside-';
const REFERRING = [
  'aria-controls',
  'aria-describedby',
  'aria-labelledby',
  'commandfor',
  'for',
  'form',
  'list',
  'popovertarget',
];

/** @typedef {{ place: Element, content: ParentNode, address?: string }} Arrived */

/** @type {HTMLElement | undefined} */
let panel;
/** What has the focus once the panel is closed. @type {Element | null} */
let opener = null;
/** How many pages were opened in the panel, one from another: so many steps the browser goes back to close it. */
let depth = 0;
/** @type {AbortController | undefined} */
let asking;

document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('a[href]');
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.hasAttribute('target')) return;
  if (goTo(link, link.getAttribute('href') ?? '')) event.preventDefault();
});

// A form that only asks for another page, for example for the free times of another day.
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method !== 'get' || !panel?.contains(form)) return;
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  if (goTo(form, `${form.getAttribute('action')}?${query}`)) event.preventDefault();
});

document.addEventListener('keydown', (event) => {
  const { key, target, defaultPrevented } = event;
  if (key !== 'Escape' || defaultPrevented || !(target instanceof Element)) return;
  // A dialog, and text that is searched for, go first.
  const isOther =
    target.closest('dialog') !== null || target.matches('input[type=search]:not(:placeholder-shown)');
  if (panel?.contains(target) && !isOther) leave();
});

// What comes in for the page beside; a change may have led to another one.
document.addEventListener('contentarrived', (event) => {
  const { place, content, address } = /** @type {CustomEvent<Arrived>} */ (event).detail;
  if (!place.closest('[data-beside]')) return;
  adopt(content);
  if (address === undefined || !panel?.contains(place)) return;
  const { pathname, search, hash } = new URL(address);
  partsOf(panel).address.href = address;
  // As links name it.
  history.replaceState({ beside: `${pathname}${search}${hash}`, depth }, '');
});

addEventListener('popstate', ({ state }) => {
  const wanted = state?.beside ? state.depth : 0;
  if (wanted === depth) return;
  if (!mayLeave()) return history.go(depth - wanted);
  depth = wanted;
  if (depth === 0) close();
  else void show(state.beside);
});

// The browser has come back to this page, or has loaded it again.
if (history.state?.beside && WIDE.matches) {
  depth = history.state.depth;
  void show(history.state.beside);
} else if (history.state?.beside) history.replaceState(null, '');

/** Opens the page beside, if that is its place. @param {Element} from @param {string} href @returns {boolean} whether it is */
function goTo(from, href) {
  if (!WIDE.matches || !isBeside(from, new URL(href, location.href))) return false;
  if (!mayLeave()) return true;
  if (!panel?.contains(from)) opener = from;
  // Pressed again, it is shown as it is now.
  if (history.state?.beside !== href) {
    depth += 1;
    history.pushState({ beside: href, depth }, '');
  }
  void show(href);
  return true;
}

/** @param {Element} from @param {URL} to */
function isBeside(from, { origin, pathname }) {
  if (origin !== location.origin) return false;
  if (from.closest('[data-beside]')) return RECORDS.test(pathname) || STEPS.test(pathname);
  return LISTS.test(location.pathname) && RECORDS.test(pathname) && from.closest('main') !== null;
}

/** Whether nothing would be lost, or people say that it may be: see unsaved.js. */
function mayLeave() {
  return panel?.dispatchEvent(new Event('leaving', { bubbles: true, cancelable: true })) ?? true;
}

/** The history goes back to where the panel was not open yet; then it closes. */
function leave() {
  history.go(-depth);
}

function close() {
  asking?.abort();
  panel?.remove();
  panel = undefined;
  const href = opener?.getAttribute('href') ?? '';
  // What follows what happens may have drawn the link anew.
  const link = opener?.isConnected ? opener : document.querySelector(`main a[href="${CSS.escape(href)}"]`);
  if (link instanceof HTMLElement || link instanceof SVGElement) link.focus({ preventScroll: true });
  else document.querySelector('main')?.focus();
  document.dispatchEvent(new Event('pageshown'));
}

/** @param {string} href */
async function show(href) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  panel ??= build();
  const { address, back } = partsOf(panel);
  address.href = href;
  back.hidden = depth < 2;
  panel.ariaBusy = 'true';
  try {
    const answer = await fetch(href, { headers: { accept: 'text/html' }, signal });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const main = page.querySelector('main');
    if (new URL(answer.url).pathname === SIGN_IN) say('You are signed out.', signInLink());
    else if (!main) throw new Error('no page');
    else fill(panel, main);
  } catch {
    if (signal.aborted) return;
    say('This can’t be shown right now. Try again in a moment.');
  }
  panel.ariaBusy = null;
  const part = document.getElementById(`${PREFIX}${new URL(href, location.href).hash.slice(1)}`);
  const { place } = partsOf(panel);
  const first = place.querySelector('[data-focus]') ?? place.querySelector('h2');
  if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  part?.scrollIntoView();
  document.dispatchEvent(new Event('pageshown'));
}

function build() {
  const fresh = document.createElement('aside');
  fresh.className = 'side-panel';
  fresh.tabIndex = -1;
  fresh.setAttribute('aria-labelledby', `${PREFIX}title`);
  fresh.innerHTML = `<header><button type="button" class="quiet" data-part="back">Back</button>
<a data-part="address">Open page</a><button type="button" class="quiet" data-part="close">Close</button></header>
<div class="side-page narrow-lists" data-part="place" data-beside></div>`;
  const { back, shut } = partsOf(fresh);
  back.onclick = () => history.back();
  shut.onclick = leave;
  document.body.append(fresh);
  return fresh;
}

/** @param {HTMLElement} within */
function partsOf(within) {
  const part = (/** @type {string} */ name) => within.querySelector(`[data-part=${name}]`);
  return {
    back: /** @type {HTMLButtonElement} */ (part('back')),
    address: /** @type {HTMLAnchorElement} */ (part('address')),
    shut: /** @type {HTMLButtonElement} */ (part('close')),
    place: /** @type {HTMLElement} */ (part('place')),
  };
}

/** @param {string} words @param {Node[]} more */
function say(words, ...more) {
  if (!panel) return;
  const heading = Object.assign(document.createElement('h1'), { textContent: 'Not shown' });
  const message = Object.assign(document.createElement('p'), { className: 'notice bad', role: 'alert' });
  message.append(words, ...more);
  const content = new DocumentFragment();
  content.append(heading, message);
  fill(panel, content);
}

function signInLink() {
  const words = { href: SIGN_IN, target: '_blank', textContent: 'Sign in in a new tab' };
  const link = Object.assign(document.createElement('a'), words);
  const rest = new DocumentFragment();
  rest.append(' ', link, ', then open this again.');
  return rest;
}

/** In a place of its own: the answer to a form that was there before is none of it. @param {HTMLElement} within @param {ParentNode} content */
function fill(within, content) {
  adopt(content);
  const { place } = partsOf(within);
  const fresh = /** @type {HTMLElement} */ (place.cloneNode(false));
  fresh.append(...content.childNodes);
  place.replaceWith(fresh);
}

/** Makes a page's content part of this one: with ids of its own, and below its heading. @param {ParentNode} content */
function adopt(content) {
  for (const element of content.querySelectorAll('*')) {
    const id = element.getAttribute('id');
    if (id) element.setAttribute('id', `${PREFIX}${id}`);
    for (const name of REFERRING) {
      const ids = element.getAttribute(name);
      if (ids) element.setAttribute(name, ids.replaceAll(/\S+/g, `${PREFIX}$&`));
    }
    // The panel itself is the one landmark of it.
    if (element.localName === 'section') element.role = 'group';
  }
  const title = content.querySelector('h1');
  if (!title) return;
  const heading = Object.assign(document.createElement('h2'), { id: `${PREFIX}title`, tabIndex: -1 });
  heading.append(...title.childNodes);
  title.replaceWith(heading);
}
