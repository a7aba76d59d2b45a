// Asks whether a dragged appointment is to be moved, moves it, and offers the opposite.

/** Nothing on the way answers later than that. */
const ANSWERS_WITHIN_MS = 15_000;

/** @typedef {{ date: string, time: string, staff: string, words: string }} Target */
/**
 * `version`: of the appointment as people saw it. `isUndo`: of what the page says to be moved.
 * @typedef {{ link: SVGElement, version: string, from: Target, to: Target, isUndo?: true }} Move
 */

/** The move that the dialog is about. @type {Move | null} */
let asked = null;

document.addEventListener('appointmentmoved', (event) =>
  ask(/** @type {CustomEvent<Move>} */ (event).detail),
);

// What else has been changed in the calendar, by calendar-block.js: it is shown, and said.
document.addEventListener(
  'calendarchanged',
  (event) => void showChanged(/** @type {CustomEvent} */ (event).detail),
);

/** @param {{ words?: string, isGood?: boolean, also?: Node[], place?: string | undefined }} change */
async function showChanged({ words, isGood = true, also = [], place }) {
  const dialog = document.getElementById('move');
  if (dialog) await refresh(dialog);
  if (words) say(isGood, words, ...also);
  const changed = place && document.querySelector(place);
  if (changed instanceof SVGElement) changed.focus({ preventScroll: true });
}

/** @param {Move} move */
function ask(move) {
  const dialog = document.getElementById('move');
  if (!(dialog instanceof HTMLDialogElement)) return;
  // An earlier one may still be under way: its answer is none of this dialog's any more.
  asked = move;
  dialog.removeAttribute('aria-busy');
  const part = partsOf(dialog);
  part('what').textContent = move.link.dataset.what ?? '';
  part('from').textContent = move.from.words;
  part('to').textContent = move.to.words;
  for (const name of ['problem', 'others', 'elsewhere']) part(name).hidden = true;
  part('move').hidden = false;
  part('move').textContent = 'Move';
  part('move').onclick = () => void send(dialog, move);
  dialog.onclose = () => {
    move.link.removeAttribute('aria-busy');
    document.dispatchEvent(new Event('moveended'));
  };
  // The focus is on the button that changes nothing.
  dialog.showModal();
}

/** @param {HTMLElement} dialog @returns {(name: string) => HTMLElement} */
const partsOf = (dialog) => (name) =>
  /** @type {HTMLElement} */ (dialog.querySelector(`[data-part=${name}]`));

/** @param {HTMLDialogElement} dialog @param {Move} move */
async function send(dialog, move) {
  if (dialog.ariaBusy) return;
  asked = move;
  dialog.ariaBusy = 'true';
  const outcome = await post(move, dialog);
  const isAsked = asked === move;
  if (isAsked) dialog.removeAttribute('aria-busy');
  if (outcome.problem !== null) {
    if (isAsked) sayProblem(dialog, move, outcome);
    else say(false, `${move.link.dataset.what}: not moved. ${outcome.problem}`);
    return;
  }
  if (isAsked) dialog.close();
  await refresh(dialog);
  sayMoved(move);
}

/** What is wrong, and what else can be done; what was chosen is kept. @param {HTMLDialogElement} dialog @param {Move} move @param {Failed} failed */
function sayProblem(dialog, move, { problem, slots = [], again, canBeElsewhere }) {
  const what = move.link.dataset.what;
  if (move.isUndo) say(false, `${what}: not moved back. ${problem}`);
  else if (!dialog.open) say(false, `${what}: not moved. ${problem}`);
  const part = partsOf(dialog);
  part('problem').textContent = problem;
  part('problem').hidden = false;
  part('problem').focus();
  part('from').textContent = (again?.move ?? move).from.words;
  part('to').textContent = move.to.words;
  part('move').hidden = !again;
  if (again) {
    part('move').textContent = again.words;
    part('move').onclick = () => void (again.isUnknown ? sendAgain : send)(dialog, again.move);
  }
  const elsewhere = part('elsewhere');
  elsewhere.hidden = !canBeElsewhere;
  if (elsewhere instanceof HTMLAnchorElement) elsewhere.href = pageOf(move);
  const { from, to } = move;
  const others = slots.filter(
    ({ date, time }) => to.staff !== from.staff || date !== from.date || time !== from.time,
  );
  part('others').hidden = others.length === 0;
  part('others').replaceChildren(
    ...others.map((slot) => {
      const words = `${dayWords(dialog, slot.date)}, ${clockWords(dialog, slot.time)}`;
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
      const who = to.words.split(', ').at(-1);
      const other = { ...to, date: slot.date, time: slot.time, words: `${words}, ${who}` };
      button.onclick = () => void send(dialog, { ...move, to: other });
      return button;
    }),
  );
}

/** After a try of which nobody knows whether it came through: looks first. @param {HTMLDialogElement} dialog @param {Move} move */
async function sendAgain(dialog, move) {
  if (dialog.ariaBusy) return;
  asked = move;
  dialog.ariaBusy = 'true';
  const isFresh = await refresh(dialog);
  if (asked !== move) return;
  dialog.removeAttribute('aria-busy');
  if (!isFresh) return sayProblem(dialog, move, unanswered(move));
  if (!movedLink(move)) return send(dialog, move);
  dialog.close();
  sayMoved(move);
}

/** The page that lists free times, from what was chosen on. @param {Move} move */
function pageOf({ link, to: { date, time, staff } }) {
  const chosen = new URLSearchParams({ date, time, ...(staff !== '' && { staff_id: staff }) });
  return `${link.getAttribute('href')}/move?${chosen}`;
}

/** @param {HTMLElement} dialog @param {string} date */
function dayWords(dialog, date) {
  const shown = document.querySelector(`.plan-column[data-date="${date}"]`);
  const options = /** @type {const} */ ({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return shown?.getAttribute('data-day') ?? new Date(date).toLocaleDateString(dialog.dataset.locale, options);
}

/** @param {HTMLElement} dialog @param {string} time */
function clockWords({ dataset: { locale, clock = '{}' } }, time) {
  const at = new Date(`1970-01-01T${time}Z`);
  return at.toLocaleTimeString(locale, { ...JSON.parse(clock), timeZone: 'UTC' });
}

/**
 * `again`: what can be sent again; `isUnknown` where the first try may have come through.
 * @typedef {{ problem: string, slots?: { date: string, time: string }[], canBeElsewhere: boolean,
 *   again?: { move: Move, words: string, isUnknown?: true } | undefined }} Failed
 */

/** @param {Move} move @param {HTMLElement} dialog @returns {Promise<{ problem: null } | Failed>} no problem: it is moved */
async function post(move, dialog) {
  const { link, version, from, to } = move;
  const staff = to.staff !== '' && to.staff !== from.staff ? { staff_id: Number(to.staff) } : {};
  const body = { starts_at: `${to.date}T${to.time}`, version: `"${version}"`, ...staff };
  const tryAgain = { move, words: 'Try again', isUnknown: /** @type {const} */ (true) };
  try {
    const answer = await fetch(`${link.getAttribute('href')}/move`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-csrf-token': dialog.dataset.csrf ?? '',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    const { code, message, words, data } = await answer.json();
    if (answer.ok) return { problem: null };
    const { status } = answer;
    if (status === 401) {
      const problem = 'You are signed out, and nothing is moved. Sign in in another tab, then try again.';
      return { problem, again: tryAgain, canBeElsewhere: false };
    }
    if (code === 'precondition_failed') return overtaken(move, dialog);
    const slots = data?.alternatives;
    if (status === 409) return { problem: 'This time is taken.', slots, canBeElsewhere: true };
    const problem = words ?? message;
    // Others fail for now, or as the session is another one since.
    const again = status === 404 || status === 422 ? undefined : tryAgain;
    return { problem, slots, again, canBeElsewhere: status !== 404 };
  } catch {
    return unanswered(move);
  }
}

/** @param {Move} move @returns {Failed} */
const unanswered = (move) => ({
  problem: 'There was no answer. Check whether the appointment was moved, then try again.',
  again: { move, words: 'Try again', isUnknown: true },
  canBeElsewhere: true,
});

/** Shows where others have put it; from there it can be moved all the same. @param {Move} move @param {HTMLElement} dialog @returns {Promise<{ problem: null } | Failed>} */
async function overtaken(move, dialog) {
  // An earlier try may have come through without its answer.
  if ((await refresh(dialog)) && movedLink(move)) return { problem: null };
  const problem = 'Someone else has changed this appointment in the meantime, so it is not moved.';
  const link = document.querySelector(`a[data-version][href="${move.link.getAttribute('href')}"]`);
  const column = link?.closest('.plan-column');
  if (!(link instanceof SVGElement && column instanceof SVGElement)) return { problem, canBeElsewhere: true };
  const { version = '', time = '', clock } = link.dataset;
  const { date = '', day, staff = '', who } = column.dataset;
  const from = { date, time, staff, words: `${day}, ${clock}, ${who}` };
  return {
    problem,
    again: { move: { ...move, link, version, from }, words: 'Move anyway' },
    canBeElsewhere: true,
  };
}

/** Shows what is there now; after a new sign-in the dialog takes the new session's token. @param {HTMLElement} dialog @returns {Promise<boolean>} whether it could be had */
async function refresh(dialog) {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const text = await fetch(location.href, { headers: { accept: 'text/html' }, signal })
    .then((answer) => answer.text())
    .catch(() => '');
  const page = new DOMParser().parseFromString(text, 'text/html');
  dialog.dataset.csrf = page.getElementById('move')?.dataset.csrf ?? dialog.dataset.csrf ?? '';
  const [part, fresh] = [document, page].map((each) => each.getElementById('calendar'));
  if (!part || !fresh) return false;
  document.dispatchEvent(new CustomEvent('partfetched', { detail: { part, markup: fresh.innerHTML } }));
  return true;
}

/** Says what has been done, and offers the opposite. @param {Move} move */
function sayMoved(move) {
  const { link, from, to } = move;
  const fresh = movedLink(move);
  const done = `${link.dataset.what}: moved to ${to.words}.`;
  const undo = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet' });
  undo.textContent = 'Undo';
  undo.title = 'Undo restores the original time if it’s still free.';
  if (fresh) {
    const { version = '' } = fresh.dataset;
    undo.onclick = () => ask({ link: fresh, version, from: to, to: from, isUndo: true });
  }
  const open = Object.assign(document.createElement('a'), {
    textContent: 'Open it',
    href: link.getAttribute('href'),
  });
  say(true, done, fresh ? undo : open);
  fresh?.focus({ preventScroll: true });
}

/** Replaces what is said at the end of the window, wherever the calendar is scrolled to. @param {boolean} isGood @param {string} words @param {Node[]} also */
function say(isGood, words, ...also) {
  const said = document.getElementById('moved');
  if (!said) return;
  const notice = Object.assign(document.createElement('div'), {
    className: `notice ${isGood ? 'good' : 'waiting'}`,
  });
  const close = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'quiet',
    textContent: '×',
  });
  close.ariaLabel = 'Dismiss';
  close.onclick = () => said.replaceChildren();
  notice.append(Object.assign(document.createElement('span'), { textContent: words }), ...also, close);
  said.replaceChildren(notice);
}

/** The appointment where it has been moved to. Null where that isn't shown, or others have moved it on. @param {Move} move */
function movedLink({ link, to }) {
  const column = `.plan-column[data-date="${to.date}"][data-staff="${to.staff}"]`;
  const shown = document.querySelector(
    `${column} a[href="${link.getAttribute('href')}"][data-time="${to.time}"]`,
  );
  return shown instanceof SVGElement ? shown : null;
}
