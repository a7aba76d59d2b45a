// "/" or Ctrl K opens the search over any page, and arrow keys walk through what is listed. Without this, the header links to the search's page.

const SEARCH_AFTER_MS = 250;
const TOO_MANY = 429;
const AGAIN_AFTER_MS = 1_000;
const FIELDS = 'input, select, textarea, [contenteditable]';

/** @type {HTMLDialogElement | undefined} */
let dialog;
/** @type {AbortController | undefined} */
let asking;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

const link = () => /** @type {HTMLAnchorElement | null} */ (document.querySelector('a[data-search]'));

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches(FIELDS);
  const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  if ((isShortcut || isSlash) && link() && !document.querySelector('dialog[open]')) {
    event.preventDefault();
    open();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') walk(event);
});

document.addEventListener('click', (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!isPlain || !(/** @type {Element} */ (event.target).closest('a[data-search]'))) return;
  event.preventDefault();
  open();
});

function open() {
  dialog ??= build();
  dialog.showModal();
  const input = dialog.querySelector('input');
  input?.select();
  if (input?.value === '') void search('');
}

function build() {
  const fresh = document.createElement('dialog');
  fresh.className = 'search';
  fresh.setAttribute('aria-label', 'Search');
  fresh.innerHTML = `<form role="search"><input type="search" name="q" maxlength="200" spellcheck="false" autocomplete="off"
aria-label="Customer, staff, service, appointment, call or page" placeholder="Customer, staff, service, appointment, call or page"></form>
<p class="for-reader" role="status"></p><div class="found"></div>`;
  fresh.addEventListener('input', (event) => {
    clearTimeout(waiting);
    const { value } = /** @type {HTMLInputElement} */ (event.target);
    waiting = setTimeout(() => void search(value), SEARCH_AFTER_MS);
  });
  fresh.addEventListener('submit', (event) => {
    event.preventDefault();
    void goToFirst();
  });
  // On the ground around it.
  fresh.addEventListener('click', ({ target }) => target === fresh && fresh.close());
  document.body.append(fresh);
  return fresh;
}

/** Goes to the first that is found for what is typed now. Similar names are only led to: the next Enter opens one. */
async function goToFirst() {
  clearTimeout(waiting);
  // Typed on meanwhile: what is listed is not what was meant.
  if (!(await search(dialog?.querySelector('input')?.value ?? ''))) return;
  const [first] = dialog?.querySelectorAll('.found a') ?? [];
  if (!(first instanceof HTMLElement)) return;
  if (first.closest('[data-similar]')) first.focus();
  else first.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
}

/** Shows what the search's own page lists for the text. @param {string} text @returns {Promise<boolean>} whether it has */
async function search(text) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const found = dialog?.querySelector('.found');
  const status = dialog?.querySelector('[role=status]');
  if (!found || !status) return false;
  try {
    const answer = await ask(`${link()?.href}?q=${encodeURIComponent(text)}`, signal);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('found');
    if (!answer.ok || !fresh) throw new Error('no results');
    found.replaceChildren(...fresh.childNodes);
    const count = found.querySelectorAll('a').length;
    status.textContent = count === 1 ? '1 result' : `${count} results`;
    return true;
  } catch {
    if (signal.aborted) return false;
    found.replaceChildren();
    found.textContent = status.textContent = 'The search does not answer. Try again in a moment.';
    return false;
  }
}

/** Where colleagues look at too much at once, it asks once more a moment later. @param {string} address @param {AbortSignal} signal */
async function ask(address, signal) {
  const request = { signal, headers: { accept: 'text/html' } };
  const answer = await fetch(address, request);
  if (answer.status !== TOO_MANY) return answer;
  await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  return fetch(address, request);
}

/** From one result or row to the next; from the search's field to the first. @param {KeyboardEvent} event */
function walk(event) {
  const { target, key } = event;
  if (!(target instanceof Element) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const list = target.closest('dialog.search, main');
  const entries = [...(list?.querySelectorAll('.found a, .list tbody tr') ?? [])];
  const place = entries.findIndex((entry) => entry.contains(target));
  const isField = target.matches('dialog.search input, form.find input[type=search]');
  if (place < 0 && !isField) return;
  // Menus and numbers have arrow keys of their own.
  if (place >= 0 && target.matches(FIELDS)) return;
  const next = entries[place + (key === 'ArrowDown' ? 1 : -1)];
  const to = next?.matches('a') ? next : next?.querySelector('a[href]');
  const isBack = place === 0 && key === 'ArrowUp';
  const stop = isBack ? list?.querySelector('input[type=search]') : to;
  if (!(stop instanceof HTMLElement)) return;
  event.preventDefault();
  stop.focus();
}
