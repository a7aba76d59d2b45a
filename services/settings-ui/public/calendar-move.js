// Asks whether a dragged appointment is to be moved, moves it, and offers the opposite.

/** @typedef {{ date: string, time: string, staff: string, words: string }} Target */
/**
 * `version`: of the appointment as people saw it. `isUndo`: of what the page says to be moved.
 * @typedef {{ link: SVGElement, version: string, from: Target, to: Target, isUndo?: true }} Move
 */

document.addEventListener('appointmentmoved', (event) =>
  ask(/** @type {CustomEvent<Move>} */ (event).detail),
);

/** @param {Move} move */
function ask(move) {
  const dialog = document.getElementById('move');
  if (!(dialog instanceof HTMLDialogElement)) return;
  const part = partsOf(dialog);
  part('what').textContent = move.link.dataset.what ?? '';
  part('from').textContent = move.from.words;
  part('to').textContent = move.to.words;
  part('problem').hidden = true;
  part('others').hidden = true;
  part('move').hidden = false;
  part('move').onclick = () => void send(dialog, move);
  dialog.onclose = () => {
    move.link.removeAttribute('aria-busy');
    document.dispatchEvent(new Event('moveended'));
  };
  dialog.showModal();
  part('move').focus();
}

/** @param {HTMLElement} dialog @returns {(name: string) => HTMLElement} */
const partsOf = (dialog) => (name) =>
  /** @type {HTMLElement} */ (dialog.querySelector(`[data-part=${name}]`));

/** @param {HTMLDialogElement} dialog @param {Move} move */
async function send(dialog, move) {
  const part = partsOf(dialog);
  if (part('move').ariaBusy) return;
  part('move').ariaBusy = 'true';
  const { problem, slots = [] } = await post(move, dialog.dataset.csrf ?? '');
  part('move').removeAttribute('aria-busy');
  if (problem === null) {
    dialog.close();
    await refresh();
    return sayMoved(move);
  }
  if (move.isUndo) say(false, `${move.link.dataset.what}: not moved back. ${problem}`);
  part('problem').textContent = problem;
  part('problem').hidden = false;
  part('move').hidden = true;
  part('others').hidden = slots.length === 0;
  part('others').replaceChildren(
    ...slots.map((slot) => {
      const words = `${dayWords(dialog, slot.date)}, ${clockWords(dialog, slot.time)}`;
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
      const who = move.to.words.split(', ').at(-1);
      const other = { ...move.to, date: slot.date, time: slot.time, words: `${words}, ${who}` };
      button.onclick = () => void send(dialog, { ...move, to: other });
      return button;
    }),
  );
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
 * @param {Move} move @param {string} csrf
 * @returns {Promise<{ problem: string | null, slots?: { date: string, time: string }[] }>} no problem: it is moved
 */
async function post({ link, version, from, to }, csrf) {
  const staff = to.staff !== '' && to.staff !== from.staff ? { staff_id: Number(to.staff) } : {};
  const body = { starts_at: `${to.date}T${to.time}`, version: `"${version}"`, ...staff };
  try {
    const answer = await fetch(`${link.getAttribute('href')}/move`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify(body),
    });
    const { code, message, errors, data } = await answer.json();
    if (answer.ok) return { problem: null };
    if (answer.status === 409) return { problem: 'This time is taken.', slots: data?.alternatives };
    if (answer.status === 401)
      return { problem: 'You are signed out, and nothing is moved. Please sign in again.' };
    if (code !== 'precondition_failed')
      return { problem: plain(Object.values(errors ?? {}).flat()[0] ?? message) };
    await refresh();
    return { problem: 'Someone else has changed this appointment in the meantime, so it is not moved.' };
  } catch {
    return { problem: 'There was no answer. Check whether the appointment was moved, then try again.' };
  }
}

/** Fields by what people call them. @param {string} message */
const plain = (message) =>
  message.replaceAll('staff_id', 'staff member').replaceAll(/appointment_(date|time)|starts_at/g, 'time');

/** Shows what is there now. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/html');
  const [part, fresh] = [document, page].map((each) => each.getElementById('calendar'));
  if (!part || !fresh) return;
  document.dispatchEvent(new CustomEvent('partfetched', { detail: { part, markup: fresh.innerHTML } }));
}

/** Says what has been done, and offers the opposite. @param {Move} move */
function sayMoved(move) {
  const { link, from, to } = move;
  const fresh = movedLink(move);
  const done = `${link.dataset.what}: moved to ${to.words}. `;
  const undo = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet' });
  undo.textContent = 'Undo';
  undo.title = 'Moves it back, which sends another appointment.updated.';
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

/** Replaces what is said above the calendar. @param {boolean} isGood @param {(string | Node)[]} words */
function say(isGood, ...words) {
  const said = document.getElementById('moved');
  if (!said) return;
  said.classList.toggle('good', isGood);
  said.classList.toggle('waiting', !isGood);
  said.replaceChildren(...words);
  said.hidden = false;
}

/** The appointment where it has been moved to. Null where that isn't shown, or others have moved it on. @param {Move} move */
function movedLink({ link, to }) {
  const column = `.plan-column[data-date="${to.date}"][data-staff="${to.staff}"]`;
  const shown = document.querySelector(
    `${column} a[href="${link.getAttribute('href')}"][data-time="${to.time}"]`,
  );
  return shown instanceof SVGElement ? shown : null;
}
