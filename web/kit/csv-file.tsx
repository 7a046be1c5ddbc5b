import type { FileProblem } from '#contract/file-columns.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import type { Column } from '#web/ui/table.tsx';
import type { CsvUpload } from './use-csv-upload.ts';
import './csv-file.css';

/** File types that the file chooser offers first. The server checks the content. */
export const CSV_FILES = '.csv,.txt,text/csv';

/** Place where a CSV file is chosen, or dropped. */
export function CsvDrop({ upload, rule }: { upload: CsvUpload; rule: string }) {
  return (
    <div className="import__start">
      <FileDrop
        name="file"
        label="CSV file"
        wanted="file"
        accept={CSV_FILES}
        rule={rule}
        error={upload.problem}
        onChoose={upload.send}
      />
    </div>
  );
}

/** The file that is on its way, and then checked. */
export function Uploading({ upload: { fileName, share = 0 } }: { upload: CsvUpload }) {
  const words = share === 1 ? 'Checking the rows' : 'Sending the file';
  return (
    <div className="import__start">
      <p className="strong mb-3">{fileName}</p>
      <ProgressBar label={words} value={share} max={1} />
      <p className="meta mt-3" role="status">
        {words}
      </p>
    </div>
  );
}

/** Columns of the errors of a file: the row, the column, the cell and how to fix it. */
export function problemColumns<Problem extends FileProblem>(): readonly Column<Problem>[] {
  return [
    {
      id: 'row',
      header: 'Row',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ row }) => <span className="num">{row}</span>,
    },
    { id: 'column', header: 'Column', narrow: 'end', cell: ({ column }) => column },
    {
      id: 'value',
      header: 'In the file',
      narrow: 'start-second',
      cell: ({ value }) => (
        <span className="import__wrong" translate="no">
          {value === '' ? 'Empty' : <Clipped>{value}</Clipped>}
        </span>
      ),
    },
    { id: 'message', header: 'To fix', narrow: 'labelled', cell: ({ message }) => message },
  ];
}
