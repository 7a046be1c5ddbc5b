import type { PayrollDraft, PayrollFileCheck } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { PAYROLL_FILE_LEFT_OUT } from '#contract/payroll-file.ts';
import { useAction } from '#web/kit/action.tsx';
import { problemColumns } from '#web/kit/csv-file.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useKeptFocus } from '#web/ui/use-settled-focus.ts';
import type { CheckedFile, FileAmountsWork } from './use-file-amounts.ts';

interface FileSheetProps {
  draft: PayrollDraft;
  work: FileAmountsWork;
  checked: CheckedFile;
  /** Minor units as they were typed; null while they were not, `none` where the report states none. */
  controlTotal: bigint | 'none' | null;
  onMatch: () => void;
  fillIn: { isPending: boolean; mutate: (controlTotal: string) => void };
}

/** The check of a file: its sum, what is to fix, what is left out, and the button that fills in the amounts. */
export function FileSheet({ draft, work, checked, controlTotal, onMatch, fillIn }: FileSheetProps) {
  const { check, leftOut } = checked;
  const { counts, filled, missing } = check;
  const decide = useAction({
    send: (rows: readonly number[]) => work.leaveOut(checked, rows),
    failed: 'Not checked',
  });
  const sheet = useKeptFocus<HTMLElement>(leftOut.length > 0 || decide.isPending);
  const why = whyNot(check, controlTotal);
  return (
    <section ref={sheet} className="sheet" aria-label="Ready to fill in" tabIndex={-1}>
      <div className="import__head">
        <div>
          <h2 className="section-title">Ready to fill in</h2>
          <Balance amount={filled} />
        </div>
        <p className="import__counts muted num" role="status">
          {`${formatCount(counts.employees)} of ${counted(counts.rows, 'row')}`}
          {counts.blank > 0 && <span>{`${formatCount(counts.blank)} without an amount`}</span>}
          {counts.leftOut > 0 && <span>{`${formatCount(counts.leftOut)} left out`}</span>}
          {controlTotal === BigInt(check.total.minor) && (
            <span className="import__good">Agrees with the control total</span>
          )}
          {counts.problems > 0 && (
            <span className="import__bad">{`${formatCount(counts.problems)} to fix`}</span>
          )}
        </p>
      </div>
      {missing.length > 0 ? (
        <EmptyState
          title="Which column is which?"
          hint={`Not found: ${missing.join(', ')}.`}
          action={
            <Button kind="solid" onPress={onMatch}>
              Match Columns
            </Button>
          }
        />
      ) : (
        <>
          <div className="import__run">
            <Facts isTight facts={sumsOf(check, controlTotal)} />
          </div>
          {check.problems.length > 0 && (
            <Problems
              {...{ check, leftOut }}
              isPending={decide.isPending}
              onLeaveOut={(row) => decide.mutate([...leftOut, row])}
            />
          )}
          {check.leftOut.length > 0 && (
            <LeftOut
              rows={check.leftOut}
              isPending={decide.isPending}
              onUndo={(row) => decide.mutate(leftOut.filter((one) => one !== row))}
            />
          )}
        </>
      )}
      <div className="import__foot">
        {why === undefined && <p className="meta">{footWords(draft)}</p>}
        <Button
          kind="solid"
          isPending={fillIn.isPending}
          pendingLabel="Filling in"
          why={why}
          onPress={() => {
            if (controlTotal !== null) fillIn.mutate(controlTotal.toString());
          }}
        >
          {counts.problems === 0 && missing.length === 0
            ? `Fill In ${counted(counts.employees, 'Amount')}`
            : 'Fill In Amounts'}
        </Button>
      </div>
    </section>
  );
}

function footWords({ employees }: PayrollDraft): string {
  return employees === 0
    ? 'Nothing moves before you review and send the payroll.'
    : 'Replaces the amounts in this draft. Nothing moves before you review and send it.';
}

/** Reason for which nothing can be filled in now; undefined if it can. */
function whyNot(
  { counts, missing, total }: PayrollFileCheck,
  controlTotal: FileSheetProps['controlTotal'],
): string | undefined {
  if (missing.length > 0) return 'Choose the columns first.';
  if (counts.problems > 0) {
    return `First fix ${counted(counts.problems, 'error')}: correct the file and replace it, or leave rows out.`;
  }
  if (counts.employees === 0) return 'No row of the file has an amount to fill in.';
  if (controlTotal === null) return 'Type the control total, or say that the report states none.';
  if (controlTotal === 'none' || controlTotal === BigInt(total.minor)) return undefined;
  return 'The sum of the file is not the control total.';
}

function sumsOf(
  { counts, filled, total, breakdown }: PayrollFileCheck,
  controlTotal: FileSheetProps['controlTotal'],
) {
  const { currency } = total;
  const differs = typeof controlTotal === 'bigint' && controlTotal !== BigInt(total.minor);
  return [
    { label: 'Sum of the file', value: <Money amount={total} /> },
    ...(typeof controlTotal === 'bigint'
      ? [{ label: 'Control total', value: <Money amount={money(controlTotal, currency)} /> }]
      : []),
    ...(differs
      ? [
          {
            label: 'Difference',
            value: (
              <span className="import__bad strong">
                <Money
                  amount={money(BigInt(total.minor) - controlTotal, currency)}
                  signs="always"
                />
              </span>
            ),
          },
        ]
      : []),
    ...(counts.leftOut > 0
      ? [
          {
            label: 'Without what is left out',
            value: <Money amount={filled} />,
          },
        ]
      : []),
    ...(breakdown === null
      ? []
      : [
          { label: 'Gross, on payslips', value: <Money amount={breakdown.gross} /> },
          { label: 'Deductions, on payslips', value: <Money amount={breakdown.deductions} /> },
        ]),
  ];
}

type Problem = PayrollFileCheck['problems'][number];

interface ProblemsProps {
  check: PayrollFileCheck;
  leftOut: readonly number[];
  isPending: boolean;
  onLeaveOut: (row: number) => void;
}

function Problems({ check, leftOut, isPending, onLeaveOut }: ProblemsProps) {
  const { problems, counts } = check;
  const isFull = leftOut.length >= PAYROLL_FILE_LEFT_OUT;
  const [row, ...others] = problemColumns<Problem>();
  const who: Column<Problem> = {
    id: 'who',
    header: 'Person',
    narrow: 'end-second',
    cell: (problem) => problem.who,
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
        <p className="import__foot meta">
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

function LeftOut({ rows, isPending, onUndo }: LeftOutProps) {
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
