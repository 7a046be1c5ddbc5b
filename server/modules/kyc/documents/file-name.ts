const MAX_LENGTH = 120;
/** What a cut through a character of two halves leaves. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/**
 * The name alone of what a device called a file: no folder, nothing unseen, and the ending of what
 * the image is kept as.
 */
export function cleanFileName(given: string): string {
  const name = given.split(/[/\\]/).at(-1) ?? '';
  const visible = name.normalize('NFC').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  const stem = visible.replace(/\.[^.]*$/, '').replaceAll(/^[\s.]+|[\s.]+$/g, '');
  const cut = stem.slice(0, MAX_LENGTH).replace(HALF_AT_END, '');
  return `${cut || 'document'}.jpg`;
}
