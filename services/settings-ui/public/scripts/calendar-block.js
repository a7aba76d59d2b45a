// Blocks time that was chosen in the calendar, removes time off that stands there, and offers the opposite. Without it, links lead to
// the page where time off is added and removed.

/** Nothing on the way answers later than that. */
const ANSWERS_WITHIN_MS = 15_000;

/**
 * `off`: where time off of `who` is added; `time`: where a booking would begin, H:i; `from`, `until`: as the clocks show it.
 * @typedef {{ off: string, date: string, day: string, staff: string, who: string, time?: string, from: string, until: string }} Chosen
 */

/**
 * `what`: said of it when it isn't made. `sent`: what of it was sent without an answer, by that `key`: so it is made once.
 * @typedef {{ what: string, sent?: string | undefined, key?: string }} Change
 */

/** No problem: it is made. `isUnknown`: perhaps. @typedef {{ problem: string | null, data?: any, isUnknown?: boolean, isGone?: boolean }} Answer */

/** What the dialog is about. The answer to an earlier one is none of its any more. @type {Change | null} */
let asked = null;

document.addEventListener('timechosen', (event) => ask(/** @type {CustomEvent<Chosen>} */ (event).detail));

document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest('a[data-off]');
  if (!(link instanceof SVGElement || link instanceof HTMLElement)) return;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { off = '', date = '', day = '', staff = '', who = '', from = '', until = '' } = link.dataset;
  if (link.dataset.entry === undefined) ask({ off, date, day, staff, who, from, until });
  else askRemoval(link);
});

/** @param {HTMLElement} dialog @returns {(name: string) => HTMLElement} */
const partsOf = (dialog) => (name) =>
  /** @type {HTMLElement} */ (dialog.querySelector(`[data-part=${name}]`));

/** @param {string} id */
function dialogOf(id) {
  const dialog = document.getElementById(id);
  if (!(dialog instanceof HTMLDialogElement)) return null;
  partsOf(dialog)('problem').hidden = true;
  dialog.removeAttribute('aria-busy');
  return dialog;
}

/** @param {Chosen} chosen */
function ask(chosen) {
  const dialog = dialogOf('block');
  const form = dialog?.querySelector('form');
  if (!dialog || !form) return;
  const { day, who, from, until, date, time, staff } = chosen;
  const part = partsOf(dialog);
  part('whose').textContent = `${who}, ${day}`;
  for (const [name, value] of Object.entries({ first_time: from, last_time: until, note: '' }))
    fieldOf(form, name).value = value;
  const book = part('book');
  book.hidden = time === undefined;
  const query = new URLSearchParams({ date, time: time ?? '', ...(staff !== '' && { staff_id: staff }) });
  if (book instanceof HTMLAnchorElement) book.href = `/settings/calendar/book?${query}`;
  const change = { what: `${who}, ${day}: not blocked.` };
  asked = change;
  form.onsubmit = (event) => {
    event.preventDefault();
    void block(dialog, form, { ...chosen, change });
  };
  dialog.onclose = () => document.dispatchEvent(new Event('moveended'));
  dialog.showModal();
}

/** @param {HTMLFormElement} form @param {string} name */
const fieldOf = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** @param {HTMLDialogElement} dialog @param {HTMLFormElement} form @param {Chosen & { change: Change }} chosen */
async function block(dialog, form, { off, date, day, who, change }) {
  const [first_time, last_time, note] = ['first_time', 'last_time', 'note'].map(
    (name) => fieldOf(form, name).value,
  );
  const body = { first_day: date, first_time, last_day: date, last_time, note };
  const data = await send(dialog, change, off, body);
  if (data === null) return;
  const reason = note ? ` (${note})` : '';
  const words = `${who}, ${day}, ${first_time} – ${last_time} is blocked${reason}.`;
  const place = `.time-off[data-off="${off}"][data-entry="${data.id}"]`;
  sayDone(words, { path: `${off}/${data.id}/delete`, body: {}, words: `${who} can be booked again.` }, place);
}

/** @param {HTMLElement | SVGElement} link */
function askRemoval(link) {
  const dialog = dialogOf('unblock');
  if (!dialog) return;
  const { off = '', entry = '', start = '', end = '', when = '', note = '', who = '' } = link.dataset;
  const part = partsOf(dialog);
  part('whose').textContent = note === '' ? who : `${who}: ${note}`;
  part('when').textContent = when;
  const all = part('all');
  if (all instanceof HTMLAnchorElement) all.href = link.getAttribute('href') ?? '';
  const change = { what: `${who}, ${when}: not removed.` };
  asked = change;
  part('remove').onclick = async () => {
    if ((await send(dialog, change, `${off}/${entry}/delete`, {})) === null) return;
    const again = { path: off, body: { start, end, note }, words: `${who}, ${when}: off again.` };
    sayDone(`${who}, ${when}: no longer off.`, again);
  };
  dialog.onclose = () => document.dispatchEvent(new Event('moveended'));
  dialog.showModal();
}

/**
 * @param {string} words @param {{ path: string, body: object, words: string }} opposite
 * @param {string} [place] what has the focus then
 */
function sayDone(words, opposite, place) {
  const undo = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'quiet',
    textContent: 'Undo',
  });
  const change = { what: 'Not undone.' };
  undo.onclick = async () => {
    if (undo.ariaBusy) return;
    undo.ariaBusy = 'true';
    const { problem, isUnknown } = await make(change, opposite.path, opposite.body);
    undo.removeAttribute('aria-busy');
    if (problem === null) tell({ words: opposite.words });
    else tell({ words: `${change.what} ${problem}`, isGood: false, also: isUnknown ? [undo] : [] });
  };
  tell({ words, also: [undo], place });
}

/** calendar-move.js shows what is there now, and says it. @param {{ words?: string, isGood?: boolean, also?: Node[], place?: string | undefined }} detail */
const tell = (detail) => document.dispatchEvent(new CustomEvent('calendarchanged', { detail }));

/**
 * Sends a change, and says what is wrong with it: in the dialog, while that is open and about it.
 * @param {HTMLDialogElement} dialog @param {Change} change @param {string} path @param {object} body
 * @returns {Promise<any>} null: it isn't made
 */
async function send(dialog, change, path, body) {
  if (dialog.ariaBusy) return null;
  dialog.ariaBusy = 'true';
  const { problem, data = {} } = await make(change, path, body);
  const isAsked = asked === change && dialog.open;
  if (isAsked) dialog.removeAttribute('aria-busy');
  if (problem === null) {
    if (isAsked) dialog.close();
    return data;
  }
  if (isAsked) {
    const said = partsOf(dialog)('problem');
    said.textContent = problem;
    said.hidden = false;
    said.focus();
  }
  // What is there now; after a new sign-in, with the new session's token.
  tell(isAsked ? {} : { words: `${change.what} ${problem}`, isGood: false });
  return null;
}

/** Once, also where the same is sent again after no answer. @param {Change} change @param {string} path @param {object} body @returns {Promise<Answer>} */
async function make(change, path, body) {
  const sent = JSON.stringify([path, body]);
  const isAgain = change.sent === sent;
  if (!isAgain) change.key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  change.sent = sent;
  const answer = await post(path, { ...body, form_token: change.key });
  if (!answer.isUnknown) change.sent = undefined;
  return isAgain && answer.isGone ? { problem: null } : answer;
}

/** @param {string} path @param {object} body @returns {Promise<Answer>} */
async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-csrf-token': document.getElementById('move')?.dataset.csrf ?? '',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    const { code, message, words, data } = await answer.json();
    if (answer.ok) return { problem: null, data };
    if (answer.status === 401)
      return {
        problem: 'You are signed out, and nothing is changed. Sign in in another tab, then try again.',
      };
    if (answer.status === 404)
      return {
        problem: 'It is no longer there: somebody else has removed it.',
        isGone: path.endsWith('/delete'),
      };
    if (code === 'request_in_progress')
      return { problem: 'This is still being saved. Wait a moment, then try again.', isUnknown: true };
    return { problem: words ?? message, isUnknown: answer.status >= 500 };
  } catch {
    return {
      problem: 'There was no answer. Check whether the change was made, then try again.',
      isUnknown: true,
    };
  }
}
