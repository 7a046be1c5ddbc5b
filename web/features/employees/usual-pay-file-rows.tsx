import type { RouteReply, UsualPayImport } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { problemColumns } from '#web/kit/csv-file.tsx';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { BeforeAfter } from '#web/ui/before-after.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

type Checked = RouteReply<'adminUploadUsualPay'>;

interface FileProblemsProps {
  checked: Checked;
  fileName: string | undefined;
  /** True if the file before it, which has no errors, is still there. */
  isAnotherKept: boolean;
}

/** Errors of a file, by row and column. Nothing of it was kept. */
export function FileProblems({ checked, fileName = '', isAnotherKept }: FileProblemsProps) {
  const { problems, problemCount } = checked;
  return (
    <section className="sheet import__problems" aria-label="Errors in the file">
      <div className="sheet__head sheet__head--tall import__head" role="alert">
        <div>
          <h2 className="section-title">To fix</h2>
          <span className="balance">{formatCount(problemCount)}</span>
        </div>
        <p className="import__counts muted">
          {fileName}
          <span>Nothing was changed. Correct the file and choose it again.</span>
          {isAnotherKept && <span>The file below stays until you replace or discard it.</span>}
        </p>
      </div>
      <div className="import__rows">
        <Table
          label="Errors in the file"
          isDense
          rows={problems}
          rowKey={({ row, column, message }) => `${row} ${column} ${message}`}
          columns={problemColumns()}
        />
      </div>
      {problemCount > problems.length && (
        <p className="spread import__foot meta">
          The first {formatCount(problems.length)} of {counted(problemCount, 'error')}.
        </p>
      )}
    </section>
  );
}

type Change = UsualPayImport['changes'][number];
type ChangeLine = Change['lines'][number] & { change: Change };

/** Changes that a file makes, a row for each amount. */
export function FileChanges({ changes }: Pick<UsualPayImport, 'changes'>) {
  return (
    <Table
      label="Changes of the file"
      isDense
      rows={changes.flatMap((change) => change.lines.map((line) => ({ ...line, change })))}
      rowKey={({ change, walletType }) => `${change.row} ${walletType}`}
      columns={CHANGE_COLUMNS}
    />
  );
}

const CHANGE_COLUMNS: readonly Column<ChangeLine>[] = [
  {
    id: 'person',
    header: 'Employee',
    isRowHeader: true,
    narrow: 'start',
    cell: ({ change: { person } }) => (
      <TextLink href={`/admin/employees/${person.id}`}>{person.name}</TextLink>
    ),
  },
  {
    id: 'employeeId',
    header: 'Employee ID',
    narrow: 'hidden',
    cell: ({ change: { person } }) => (
      <span className="id" translate="no">
        {person.employeeId}
      </span>
    ),
  },
  {
    id: 'validFrom',
    header: 'Valid from',
    narrow: 'end-second',
    cell: ({ change }) => formatDay(change.validFrom, 'date'),
  },
  {
    id: 'wallet',
    header: 'Wallet',
    narrow: 'start-second',
    cell: ({ walletType }) => WALLET_LABELS[walletType],
  },
  {
    id: 'amounts',
    header: 'Each payday',
    align: 'right',
    narrow: 'end',
    cell: ({ before, amount }) => (
      <BeforeAfter
        before={before.minor === '0' ? 'None' : formatMoney(before)}
        after={formatMoney(amount)}
      />
    ),
  },
];
