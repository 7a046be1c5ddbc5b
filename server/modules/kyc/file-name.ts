const MAX_LENGTH = 120;

/**
 * The name alone of what a device called a file: no folder, nothing unseen, and the ending of what
 * the image is kept as.
 */
export function cleanFileName(given: string): string {
  const name = given.split(/[/\\]/).at(-1) ?? '';
  const visible = name.normalize('NFC').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  const stem = visible.replace(/\.[^.]*$/, '').replaceAll(/^[\s.]+|[\s.]+$/g, '');
  return `${stem.slice(0, MAX_LENGTH) || 'document'}.jpg`;
}
