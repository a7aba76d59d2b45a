// The picture beside a form follows what is typed, before any of it is saved.

/** @type {AbortController | undefined} */
let asking;

document.addEventListener('change', (event) => {
  const form = /** @type {Element} */ (event.target).closest('form[data-preview]');
  if (form instanceof HTMLFormElement) void preview(form);
});

/** @param {HTMLFormElement} form */
async function preview(form) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  body.set('do', 'preview');
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      body,
      signal,
      headers: { accept: 'text/html' },
    });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const picture = page.querySelector('figure');
    if (picture && form.isConnected) form.closest('.hours')?.querySelector('figure')?.replaceWith(picture);
  } catch {
    // The picture is as it was; saving says whether there is an answer.
  }
}
