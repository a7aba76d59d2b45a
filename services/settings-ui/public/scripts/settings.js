// Pages work without this. With it, forms marked data-inline don't reload the page, and buttons copy.

/** A copy of the button pressed last in a form that was still being sent: live parts may make something else of it since. @type {WeakMap<HTMLFormElement, HTMLButtonElement>} */
const pressedMeanwhile = new WeakMap();
const FIELDS = 'input:not([type=hidden]), select, textarea';
/** Forms with something in them that is not saved: see unsaved.js. */
const UNSAVED = 'form:is([data-typed], [data-unsaved])';
/** Shows another page beside this one: see side-panel.js. Forms in it have their answers there. */
const BESIDE = '[data-beside]';
const KNOWS_COMMANDS = 'commandForElement' in HTMLButtonElement.prototype;

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  // A button that sends nothing: Enter presses it.
  if (!form.matches('[data-inline]') || submitter?.formMethod === 'dialog') return;
  event.preventDefault();
  void send(form, submitter);
});

document.addEventListener('click', (event) => {
  const button = /** @type {Element} */ (event.target).closest('button');
  // Where a list has moved up since the first click, the second one of a double click is on the next record.
  if (event.detail > 1 && button?.hasAttribute('formaction')) event.preventDefault();
  if (button?.dataset.copy) void copy(button, button.dataset.copy);
  // Browsers without commands open and close dialogs like this.
  if (button?.hasAttribute('commandfor') && !KNOWS_COMMANDS) {
    const dialog = document.getElementById(button.getAttribute('commandfor') ?? '');
    if (!(dialog instanceof HTMLDialogElement)) return;
    if (button.getAttribute('command') === 'close') dialog.close();
    else dialog.showModal();
  }
});

prepare(document);

/**
 * Sends the form and takes over the page that comes back, in place of the one it stands in. Nothing is sent twice: without an answer the page says so, and people decide.
 * @param {HTMLFormElement} form @param {HTMLButtonElement | null} submitter
 */
async function send(form, submitter) {
  if (form.hasAttribute('aria-busy')) {
    if (submitter && !submitter.hasAttribute('aria-busy'))
      pressedMeanwhile.set(form, /** @type {HTMLButtonElement} */ (submitter.cloneNode(true)));
    return;
  }
  pressedMeanwhile.delete(form);
  const place = form.closest(BESIDE) ?? document.querySelector('main');
  form.setAttribute('aria-busy', 'true');
  submitter?.setAttribute('aria-busy', 'true');
  const entered = new Map(fieldsOf(form).map((field) => [field, stateOf(field)]));
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form, submitter)));
    const to = submitter?.hasAttribute('formaction') ? submitter.formAction : form.action;
    let { answer, page } = await post(to, body);
    for (let asked = questionIn(page); asked; asked = questionIn(page)) {
      const password = await askForPassword(asked, page.title);
      if (password === null) return;
      body.set('_password', password);
      ({ answer, page } = await post(to, body));
    }
    if (new URL(answer.url).pathname === '/settings/sign-in') return notify(form, ...signedOut());
    const main = page.querySelector('main');
    if (!place || !main || !answer.headers.get('content-type')?.startsWith('text/html'))
      throw new Error('no page');
    const address = answer.redirected ? withoutNotice(answer.url) : undefined;
    const arrived = { place, content: main, address };
    document.dispatchEvent(new CustomEvent('contentarrived', { detail: arrived }));
    if (!isForForm(answer, main, form)) return notify(form, ...failureOf(answer, main));
    const isOtherPage = address !== undefined && new URL(address).pathname !== location.pathname;
    if (!place.matches(BESIDE)) {
      if (address) history.replaceState(history.state, '', address);
      document.title = page.title;
      // Another page begins at its top, as after a link.
      if (isOtherPage) scrollTo(0, 0);
    }
    keepTyped(place, form, main, answer.redirected && answer.ok);
    place.replaceChildren(...main.childNodes);
    const fresh = sameForm(place, form);
    const keepsTyped = !answer.ok && fieldsOf(fresh).length > 0;
    if (!answer.redirected && (keepsTyped || fresh?.matches('[data-keep]')))
      fresh?.setAttribute('data-unsaved', '');
    const isWhole = takeAlong(entered, fresh);
    prepare(place);
    if (isWhole && answer.ok && !answer.redirected) pressNext(form, fresh);
    else if (answer.ok) pressOther(place, form);
  } catch {
    notify(form, 'There was no answer. Check whether the change was made, then try again.');
  } finally {
    form.removeAttribute('aria-busy');
    submitter?.removeAttribute('aria-busy');
    document.dispatchEvent(new Event('formanswered'));
  }
}

/** @param {string} to @param {URLSearchParams} body */
async function post(to, body) {
  const answer = await fetch(to, { method: 'POST', body, headers: { accept: 'text/html' } });
  return { answer, page: new DOMParser().parseFromString(await answer.text(), 'text/html') };
}

/** Where the password has to be shown first, a page asks for that. @param {Document} page @returns {HTMLFormElement | null} */
const questionIn = (page) => page.querySelector('form#confirm');

/**
 * Asks in a dialog over this page, which stays as it is.
 * @param {HTMLFormElement} form of the page that asks @param {string} title
 * @returns {Promise<string | null>} null where it is not answered
 */
function askForPassword(form, title) {
  const dialog = document.createElement('dialog');
  const heading = Object.assign(document.createElement('h3'), { textContent: title.split(' · ')[0] });
  const cancel = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Cancel' });
  const field = /** @type {HTMLInputElement} */ (form.querySelector('input[type=password]'));
  dialog.ariaLabel = heading.textContent;
  form.querySelector('.actions')?.prepend(cancel);
  form.prepend(heading);
  dialog.append(form);
  document.body.append(dialog);
  cancel.onclick = () => dialog.close();
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      resolve(field.value);
      dialog.close();
    };
    dialog.onclose = () => {
      dialog.remove();
      resolve(null);
    };
  });
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @param {Element | null} form @returns {Field[]} */
const fieldsOf = (form) => [.../** @type {any} */ (form?.querySelectorAll(FIELDS) ?? [])];

/** @param {Field} field */
const isTicked = (field) => field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);

/** @param {Field} field */
const stateOf = (field) => (isTicked(field) ? /** @type {HTMLInputElement} */ (field).checked : field.value);

/**
 * What was entered while the form was being sent goes on in the fresh one: in the field of the same name and label that is as this
 * one was then.
 * @param {Map<Field, string | boolean>} entered what was sent @param {Element | null} fresh
 * @returns {boolean} whether all of it does
 */
function takeAlong(entered, fresh) {
  let isWhole = true;
  for (const [field, sent] of entered) {
    const state = stateOf(field);
    if (state === sent) continue;
    const same = fieldsOf(fresh).find(
      (other) =>
        other.name === field.name &&
        other.ariaLabel === field.ariaLabel &&
        (!isTicked(field) || other.value === field.value) &&
        // The server shows a time as the country writes it, however it was typed.
        (stateOf(other) === sent || other.dataset.time !== undefined),
    );
    if (!same) isWhole = false;
    else if (typeof state === 'boolean') /** @type {HTMLInputElement} */ (same).checked = state;
    else same.value = state;
    same?.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return isWhole;
}

/**
 * Presses what people pressed in the form before its answer came, where it still does the same.
 * @param {HTMLFormElement} sent @param {Element | null} fresh
 */
function pressNext(sent, fresh) {
  const pressed = pressedMeanwhile.get(sent);
  const same = [...(fresh?.querySelectorAll('button') ?? [])].find(
    ({ name, value, textContent }) =>
      name === pressed?.name && value === pressed.value && textContent === pressed.textContent,
  );
  same?.click();
}

/**
 * Presses what people pressed meanwhile for another record: a button of the same form with an address of its own.
 * @param {Element} place @param {HTMLFormElement} sent
 */
function pressOther(place, sent) {
  const pressed = pressedMeanwhile.get(sent);
  const to = pressed?.getAttribute('formaction');
  const same = to ? place.querySelector(`button[formaction="${CSS.escape(to)}"]`) : null;
  if (same instanceof HTMLButtonElement && same.isEqualNode(pressed ?? null)) same.click();
}

/**
 * Whether the page that came back has a place for what was typed, unless it was taken. A form without fields loses nothing.
 * @param {Response} answer @param {Element} main @param {HTMLFormElement} form
 */
function isForForm(answer, main, form) {
  if (answer.ok || sameForm(main, form)) return true;
  const hasFields = form.querySelector(FIELDS) !== null;
  return !hasFields && main.querySelector('form[data-inline]') !== null;
}

/**
 * What the answer says, with its links.
 * @param {Response} answer @param {Element} main @returns {(string | Node)[]}
 */
function failureOf(answer, main) {
  if (answer.redirected) return ['The change was made, but the page can’t be shown. Please reload it.'];
  const said = main.querySelector('[role=alert], .card p');
  if (!said?.textContent) return ['That did not work. Please try again.'];
  // What else is in it, such as a paragraph, has no place in a line of the form.
  return [...said.childNodes].map((node) =>
    node instanceof HTMLAnchorElement ? node : (node.textContent ?? ''),
  );
}

/** A session that is over takes nothing along that was typed. */
function signedOut() {
  const words = { href: '/settings/sign-in', target: '_blank', textContent: 'Sign in in a new tab' };
  const link = Object.assign(document.createElement('a'), words);
  return ['You are signed out, and nothing is saved yet. ', link, ', then send this again.'];
}

/**
 * Says in the form what came of it; all of the page stays as it is.
 * @param {HTMLFormElement} form @param {(string | Node)[]} words
 */
function notify(form, ...words) {
  form.querySelector('[role=alert]')?.remove();
  const message = Object.assign(document.createElement('p'), { className: 'notice bad', role: 'alert' });
  // Live parts go on around it.
  message.dataset.said = '';
  message.append(...words);
  // A question that is still open hides the rest of the form.
  (form.querySelector('dialog[open] > *') ?? form).prepend(message);
}

/**
 * What is typed in other forms of the page stays. Once a change is made, those that show the same record as it was then go
 * by the version that it has led to; what others have changed meanwhile is left to them.
 * @param {Element} place @param {HTMLFormElement} sent @param {Element} main @param {boolean} isChanged
 */
function keepTyped(place, sent, main, isChanged) {
  for (const form of place.querySelectorAll(UNSAVED)) {
    const fresh = sameForm(main, form);
    if (form === sent || !fresh || form.closest('dialog')) continue;
    if (isChanged && isOfSameVersion(form, sent)) takeOver('version', form, fresh);
    // After a new sign-in the form carries the new session's token.
    takeOver('_csrf', form, fresh);
    fresh.closest('details')?.setAttribute('open', '');
    fresh.replaceWith(form);
  }
}

/** @param {Element} page @param {Element} form */
const sameForm = (page, form) =>
  page.querySelector(
    form.id === ''
      ? `form[action="${CSS.escape(form.getAttribute('action') ?? '')}"]`
      : `form#${CSS.escape(form.id)}`,
  );

/** @param {Element} form @param {string} name */
function fieldOf(form, name) {
  const field = form.querySelector(`[name=${name}]`);
  return field instanceof HTMLInputElement ? field : null;
}

/** Whether both show one record, in one version. @param {Element} form @param {Element} other */
function isOfSameVersion(form, other) {
  const [own, others] = [form, other].map((each) => fieldOf(each, 'version'));
  return own?.value === others?.value && own?.dataset.record === others?.dataset.record;
}

/** @param {string} name @param {Element} form @param {Element} fresh */
function takeOver(name, form, fresh) {
  const [old, latest] = [form, fresh].map((each) => fieldOf(each, name));
  if (old && latest) old.value = latest.value;
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
  if (location.search.includes('done='))
    history.replaceState(history.state, '', withoutNotice(location.href));
  const wanted = page.querySelector('[data-focus]');
  // A toast is in sight wherever the page is scrolled to.
  if (wanted instanceof HTMLElement) wanted.focus({ preventScroll: wanted.matches('.toast') });
  document.dispatchEvent(new Event('pageshown'));
}

/** @param {HTMLButtonElement} button @param {string} text */
async function copy(button, text) {
  // Pressed twice, it still goes back to what it says.
  const label = button.dataset.label ?? button.innerHTML;
  button.dataset.label = label;
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.innerHTML = label;
  }, 2_000);
}
