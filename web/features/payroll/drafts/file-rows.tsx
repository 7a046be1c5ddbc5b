import type { PayrollFileCheck } from '#contract/api.ts';
import { PAYROLL_FILE_LEFT_OUT } from '#contract/payroll-file.ts';
import { problemColumns } from '#web/kit/csv-file.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

type Problem = PayrollFileCheck['problems'][number];

interface ProblemsProps {
  check: PayrollFileCheck;
  leftOut: readonly number[];
  isPending: boolean;
  onLeaveOut: (row: number) => void;
}

/** Errors of a file, each with the row that can be left out. */
export function Problems({ check, leftOut, isPending, onLeaveOut }: ProblemsProps) {
  const { problems, counts } = check;
  const isFull = leftOut.length >= PAYROLL_FILE_LEFT_OUT;
  const [row, ...others] = problemColumns<Problem>();
  const who: Column<Problem> = {
    id: 'who',
    header: 'Person',
    narrow: 'end-second',
    cell: (problem) => <Clipped>{problem.who}</Clipped>,
  };
  const act: Column<Problem> = {
    id: 'act',
    header: 'Action',
    narrow: 'labelled',
    cell: (problem) => (
      <Button
        shape="text"
        aria-label={`Leave out row ${problem.row}, ${problem.who}`}
        isPending={isPending}
        why={isFull ? 'Correct the file: too many rows are left out' : undefined}
        onPress={() => onLeaveOut(problem.row)}
      >
        Leave Out
      </Button>
    ),
  };
  return (
    <div className="import__rows">
      <Table
        label="Errors in the file"
        isDense
        rows={problems}
        rowKey={({ row: number, column, message }) => `${number} ${column} ${message}`}
        columns={[...(row === undefined ? [] : [row]), who, ...others, act]}
      />
      {counts.problems > problems.length && (
        <p className="spread import__foot meta">
          The first {formatCount(problems.length)} of {counted(counts.problems, 'error')}.
        </p>
      )}
    </div>
  );
}

type LeftOutRow = PayrollFileCheck['leftOut'][number];

interface LeftOutProps {
  rows: readonly LeftOutRow[];
  isPending: boolean;
  onUndo: (row: number) => void;
}

/** Rows that are left out by name, each with its undo. */
export function LeftOut({ rows, isPending, onUndo }: LeftOutProps) {
  const columns: readonly Column<LeftOutRow>[] = [
    {
      id: 'row',
      header: 'Row',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ row }) => <span className="num">{row}</span>,
    },
    { id: 'who', header: 'Left out', narrow: 'start-second', cell: ({ who }) => who },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: ({ amount }) =>
        amount === null ? <span className="faint">None</span> : <Money amount={amount} />,
    },
    {
      id: 'act',
      header: 'Action',
      narrow: 'end-second',
      cell: ({ row, who }) => (
        <Button
          shape="text"
          aria-label={`Take row ${row} in again, ${who}`}
          isPending={isPending}
          onPress={() => onUndo(row)}
        >
          Undo
        </Button>
      ),
    },
  ];
  return (
    <div className="import__rows">
      <Table
        label="Rows that are left out"
        isDense
        rows={rows}
        rowKey={({ row }) => String(row)}
        columns={columns}
      />
    </div>
  );
}
