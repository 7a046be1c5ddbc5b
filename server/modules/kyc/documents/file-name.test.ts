import { expect, test } from 'vitest';
import { cleanFileName, downloadName } from './file-name.ts';

test.each([
  ['passport.png', 'passport.png'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\id.JPG', 'id.JPG'],
  ['/absolute/path/scan.webp', 'scan.webp'],
  ['a\u0000b\n\u202Egnp.png', 'abgnp.png'],
  ['Führerschein (1).jpeg', 'Führerschein (1).jpeg'],
  ['....', 'document.jpg'],
  ['', 'document.jpg'],
  [`${'x'.repeat(900)}.png`, `${'x'.repeat(120)}.png`],
  // Cut before the character of two halves, not between them.
  [`${'x'.repeat(119)}😀.png`, `${'x'.repeat(119)}.png`],
])('%j is kept as %j', (given, kept) => {
  expect(cleanFileName(given)).toBe(kept);
});

test.each([
  ['passport.png', 'passport.jpg'],
  ['id.JPG', 'id.jpg'],
  ['passwd', 'passwd.jpg'],
  ['Scan of 3.5 inches', 'Scan of 3.5 inches.jpg'],
  [null, 'document.jpg'],
])('%j is downloaded as %j', (fileName, name) => {
  expect(downloadName(fileName)).toBe(name);
});
