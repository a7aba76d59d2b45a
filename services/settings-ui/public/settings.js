// Pages work without this. With it, forms marked data-inline don't reload the page, buttons copy, and the log is live.

/** @type {EventSource | undefined} */
let log;
const KNOWS_COMMANDS = 'commandForElement' in HTMLButtonElement.prototype;

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches('[data-inline]')) return;
  event.preventDefault();
  void send(form, /** @type {HTMLElement | null} */ (event.submitter));
});

document.addEventListener('click', (event) => {
  const button = /** @type {Element} */ (event.target).closest('button');
  if (button?.dataset.copy) void copy(button, button.dataset.copy);
  // Browsers without commands open and close dialogs like this.
  if (button?.hasAttribute('commandfor') && !KNOWS_COMMANDS) {
    const dialog = document.getElementById(button.getAttribute('commandfor') ?? '');
    if (!(dialog instanceof HTMLDialogElement)) return;
    if (button.getAttribute('command') === 'close') dialog.close();
    else dialog.showModal();
  }
});

document.addEventListener('input', (event) => {
  const form = /** @type {Element} */ (event.target).closest('form[data-keep]');
  if (form instanceof HTMLFormElement) form.dataset.typed = '';
});

document.addEventListener('visibilitychange', () => followLog());
prepare(document);

/**
 * Sends the form and takes over the page that comes back. Nothing is sent twice: without an answer people are told, and decide.
 * @param {HTMLFormElement} form @param {HTMLElement | null} submitter
 */
async function send(form, submitter) {
  if (form.hasAttribute('aria-busy')) return;
  form.setAttribute('aria-busy', 'true');
  submitter?.setAttribute('aria-busy', 'true');
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form, submitter)));
    const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } });
    if (new URL(answer.url).pathname === '/settings/sign-in') return location.assign(answer.url);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const main = page.querySelector('main');
    if (!main || !answer.headers.get('content-type')?.startsWith('text/html')) throw new Error('no page');
    if (answer.redirected) history.replaceState(null, '', withoutNotice(answer.url));
    document.title = page.title;
    keepTyped(form, main, answer.redirected);
    document.querySelector('main')?.replaceWith(main);
    prepare(document);
  } catch {
    form.removeAttribute('aria-busy');
    submitter?.removeAttribute('aria-busy');
    form.querySelector('[role=alert]')?.remove();
    const message = document.createElement('p');
    message.className = 'notice bad';
    message.setAttribute('role', 'alert');
    message.textContent = 'There was no answer. Please look whether it was done, and try again.';
    form.prepend(message);
  }
}

/**
 * What is typed in other forms of the page stays. Once a change is made, they go by the version that it has led to.
 * @param {HTMLFormElement} sent @param {Element} main @param {boolean} isChanged
 */
function keepTyped(sent, main, isChanged) {
  for (const form of document.querySelectorAll('form[data-typed]')) {
    const fresh = main.querySelector(`form#${CSS.escape(form.id)}`);
    if (form === sent || !fresh) continue;
    const [version, latest] = [form, fresh].map((each) => each.querySelector('[name=version]'));
    if (isChanged && version instanceof HTMLInputElement && latest instanceof HTMLInputElement) {
      version.value = latest.value;
    }
    fresh.closest('details')?.setAttribute('open', '');
    fresh.replaceWith(form);
  }
}

/** @param {string} address */
function withoutNotice(address) {
  const url = new URL(address);
  url.searchParams.delete('done');
  return url.href;
}

/** @param {ParentNode} page */
function prepare(page) {
  if (navigator.clipboard) {
    for (const button of page.querySelectorAll('[data-copy]')) button.removeAttribute('hidden');
  }
  if (location.search.includes('done=')) history.replaceState(null, '', withoutNotice(location.href));
  const wanted = page.querySelector('[data-focus]');
  if (wanted instanceof HTMLElement) wanted.focus();
  followLog();
}

/** @param {HTMLButtonElement} button @param {string} text */
async function copy(button, text) {
  const label = button.innerHTML;
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.innerHTML = label;
  }, 2_000);
}

/** Follows the delivery log while it is there and somebody looks. */
function followLog() {
  log?.close();
  log = undefined;
  const list = document.querySelector('[data-live]');
  if (!(list instanceof HTMLElement) || document.hidden) return;
  log = new EventSource(list.dataset.live ?? '');
  log.addEventListener('message', ({ data }) => {
    const next = document.createElement('template');
    next.innerHTML = JSON.parse(data);
    if (next.innerHTML === list.innerHTML) return;
    // What has the focus keeps it, which it can by its name alone.
    const focused = list.contains(document.activeElement) ? document.activeElement?.id : null;
    if (focused === '') return;
    list.replaceChildren(next.content);
    if (focused) (document.getElementById(focused) ?? document.getElementById('main'))?.focus();
    const news = list.querySelector('[data-news]');
    const said = document.getElementById('live-news');
    if (said && news instanceof HTMLElement) said.textContent = news.dataset.news ?? '';
  });
}
