// Marks forms that differ from how they were drawn, and asks before they are left. Without scripts, browsers leave at once.

document.addEventListener('input', ({ target }) => {
  const form = /** @type {Element} */ (target).closest('form');
  if (!form) return;
  delete form.dataset.sent;
  form.toggleAttribute('data-typed', [...form.elements].some(differs));
});

// What is sent without a script isn't lost; other forms of the page are.
document.addEventListener('submit', ({ target }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  if (!form.matches('[data-inline]')) form.dataset.sent = '';
});

addEventListener('beforeunload', (event) => {
  const forms = /** @type {NodeListOf<HTMLFormElement>} */ (
    document.querySelectorAll('form:is([data-typed], [data-unsaved]):not([data-sent])')
  );
  if ([...forms].some(isChange)) event.preventDefault();
});

/** Whether it changes something of a session, and is in sight. @param {HTMLFormElement} form */
const isChange = (form) => form.elements.namedItem('_csrf') !== null && !form.closest('dialog:not([open])');

/** @param {Element} field */
function differs(field) {
  if (field instanceof HTMLSelectElement) {
    const drawn = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(drawn, 0);
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
  return /^(checkbox|radio)$/.test(field.type)
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}
