import { expect, test } from 'vitest';
import { cleanFileName } from './file-name.ts';

test.each([
  ['passport.png', 'passport.jpg'],
  ['../../etc/passwd', 'passwd.jpg'],
  ['..\\..\\windows\\id.JPG', 'id.jpg'],
  ['/absolute/path/scan.webp', 'scan.jpg'],
  ['a\u0000b\n\u202Egnp.png', 'abgnp.jpg'],
  ['Führerschein (1).jpeg', 'Führerschein (1).jpg'],
  ['....', 'document.jpg'],
  ['', 'document.jpg'],
  [`${'x'.repeat(900)}.png`, `${'x'.repeat(120)}.jpg`],
  // Cut before the character of two halves, not between them.
  [`${'x'.repeat(119)}😀.png`, `${'x'.repeat(119)}.jpg`],
])('%j is kept as %j', (given, kept) => {
  expect(cleanFileName(given)).toBe(kept);
});
