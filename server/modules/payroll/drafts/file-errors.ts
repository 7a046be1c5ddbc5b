import type { PayrollFileCheck, RouteReply } from '#contract/api.ts';
import { PAYROLL_FILE_ERROR_ROWS } from '#contract/payroll-file.ts';
import { BYTE_ORDER_MARK, csvLine, plainCell, textCell } from '#server/lib/csv.ts';
import type { Sheet } from '#server/modules/imports/index.ts';

/**
 * Rows of a file that have errors, with their own cells, their number in the file and the reasons, as CSV. Cells are
 * written as those of exports, so that a spreadsheet runs none of them. At most `PAYROLL_FILE_ERROR_ROWS` rows.
 */
export function rowsWithErrors(
  { header, rows }: Sheet,
  problems: PayrollFileCheck['problems'],
): RouteReply<'adminListPayrollFileErrors'> {
  const reasons = new Map<number, string[]>();
  for (const { row, column, message } of problems) {
    const ofRow = reasons.get(row) ?? [];
    ofRow.push(`${column}: ${message}`);
    reasons.set(row, ofRow);
  }
  const wrong = rows
    .filter(({ rowNumber }) => reasons.has(rowNumber))
    .slice(0, PAYROLL_FILE_ERROR_ROWS);
  const lines = wrong.map(({ rowNumber, cells }) =>
    csvLine([
      ...header.map((_, index) => textCell(cells[index] ?? '')),
      plainCell(String(rowNumber)),
      textCell(reasons.get(rowNumber)?.join('; ') ?? ''),
    ]),
  );
  const head = [...header.map(textCell), plainCell('Row in the file'), plainCell('To fix')];
  return { rows: wrong.length, csv: BYTE_ORDER_MARK + csvLine(head) + lines.join('') };
}
