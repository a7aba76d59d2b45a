// A picture that is too large to be sent is made smaller, as people choose it.

/** Four times the largest that pages show, for sharp screens. */
const SIDE = 256;

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.most) void shrink(target);
});

/** What is no picture stays as it is: the server says what is wrong with it. @param {HTMLInputElement} input */
async function shrink(input) {
  const [file] = input.files ?? [];
  if (!file || file.size <= Number(input.dataset.most)) return;
  const submit = input.form?.querySelector('button[type=submit]');
  submit?.setAttribute('disabled', '');
  const smaller = await smallerOf(file).catch(() => null);
  submit?.removeAttribute('disabled');
  // Another one may have been chosen meanwhile.
  if (!smaller || input.files?.[0] !== file) return;
  const chosen = new DataTransfer();
  chosen.items.add(smaller);
  input.files = chosen.files;
}

/** @param {File} file */
async function smallerOf(file) {
  const picture = await createImageBitmap(file);
  const scale = SIDE / Math.min(picture.width, picture.height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const context = canvas.getContext('2d');
  if (!context) return null;
  // JPEG has no transparency: what shows through would be black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, SIDE, SIDE);
  context.drawImage(picture, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
  const type = 'image/jpeg';
  return new File([await canvas.convertToBlob({ type, quality: 0.85 })], file.name, { type });
}
