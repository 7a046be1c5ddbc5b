import { expect, test } from 'vitest';
import { copiedTable } from './copied-table.ts';

test('cells are parted by tabs, and none begins a formula or another cell', () => {
  expect(
    copiedTable([
      ['Employee', 'Account number'],
      ['=HYPERLINK("x")', '000123456789'],
      ['Maya\tC.\n', '@sum'],
    ]),
  ).toBe('Employee\tAccount number\n\'=HYPERLINK("x")\t000123456789\nMaya C. \t\'@sum');
});
