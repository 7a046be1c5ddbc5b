import type { PayrollPreview } from '#contract/api.ts';
import { WALLET_LABELS, walletAccountWords, type WalletType } from '#contract/wallets.ts';
import { formatCount } from '#web/lib/format.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { employeesWords, reasonWords } from './words.ts';
import './payroll.css';

interface PreviewTablesProps {
  preview: PayrollPreview;
  walletType: WalletType;
}

/** Who will be paid, with the total, then who is skipped and why. */
export function PreviewTables({ preview, walletType }: PreviewTablesProps) {
  const { payable, payableCount, skipped, skippedCount } = preview;
  return (
    <>
      <Table
        label="Who will be paid"
        isDense
        columns={paidColumns(preview, walletType)}
        rows={payable}
        rowKey={({ employee }) => employee.id}
      />
      <ShownOf shown={payable.length} total={payableCount} />
      {skippedCount > 0 && (
        <>
          <div className="preview__warning">
            <Notice tone="caution">{skippedWarning(preview, walletType)}</Notice>
          </div>
          <Table
            label="Who is skipped"
            isDense
            columns={skippedColumns(walletType)}
            rows={skipped}
            rowKey={({ employee }) => employee.id}
          />
          <ShownOf shown={skipped.length} total={skippedCount} />
        </>
      )}
    </>
  );
}

/** "2 employees have no Salary Wallet account and will be skipped."; less where there are other reasons. */
export function skippedWarning(
  { skipped, skippedCount }: Pick<PayrollPreview, 'skipped' | 'skippedCount'>,
  walletType: WalletType,
): string {
  const people = employeesWords(skippedCount);
  const lackAccount =
    skipped.length === skippedCount && skipped.every(({ reason }) => reason === 'no_wallet');
  if (!lackAccount) return `${people} will be skipped. The preview says why.`;
  const have = skippedCount === 1 ? 'has' : 'have';
  return `${people} ${have} no ${walletAccountWords(walletType)} and will be skipped.`;
}

function ShownOf({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null;
  return (
    <p className="preview__more meta num">
      {`The first ${formatCount(shown)} of ${formatCount(total)} are listed.`}
    </p>
  );
}

type PaidLine = PayrollPreview['payable'][number];

function paidColumns(preview: PayrollPreview, walletType: WalletType): Column<PaidLine>[] {
  return [
    {
      id: 'employee',
      header: 'Will be paid',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ employee }) => <Clipped>{employee.name}</Clipped>,
      total: `Total, ${employeesWords(preview.payableCount)}`,
    },
    {
      id: 'employeeId',
      header: 'Employee ID',
      narrow: 'hidden',
      cell: ({ employee }) => <span className="id">{employee.employeeId}</span>,
    },
    {
      id: 'wallet',
      header: 'Wallet',
      narrow: 'start-second',
      cell: (line) => (
        <span className="muted nowrap">{`${WALLET_LABELS[walletType]} ••${line.walletLast4}`}</span>
      ),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: ({ amount }) => <Money amount={amount} />,
      total: <Money amount={preview.total} />,
    },
  ];
}

type SkippedLine = PayrollPreview['skipped'][number];

function skippedColumns(walletType: WalletType): Column<SkippedLine>[] {
  return [
    {
      id: 'employee',
      header: 'Skipped',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ employee }) => <Clipped className="muted">{employee.name}</Clipped>,
    },
    {
      id: 'employeeId',
      header: 'Employee ID',
      narrow: 'end',
      cell: ({ employee }) => <span className="id">{employee.employeeId}</span>,
    },
    {
      id: 'reason',
      header: 'Reason',
      narrow: 'start-second',
      cell: ({ reason }) => <span className="muted">{reasonWords(reason, walletType)}</span>,
    },
  ];
}
