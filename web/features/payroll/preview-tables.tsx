import { formatMoney } from '#contract/money.ts';
import { reasonWords } from '#contract/payroll.ts';
import type { PayrollPreview } from '#contract/api.ts';
import type { PayrollLineReason } from '#contract/payroll.ts';
import { WALLET_LABELS, walletAccountWords, type WalletType } from '#contract/wallets.ts';
import { formatCount } from '#web/lib/format.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { PaidNote } from './paid-again.tsx';
import { employeesWords } from './words.ts';
import './payroll.css';

interface PreviewTablesProps {
  preview: Omit<PayrollPreview, 'wallets'>;
  walletType: WalletType;
}

/** People to be paid, with the total, then skipped people with reasons. */
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

/**
 * "2 employees have no Salary Wallet account and will be skipped.", or with other reasons, the
 * number for each: "3 employees will be skipped. 2 have no Salary Wallet account, 1 is no longer
 * with the company."
 */
export function skippedWarning(
  { skippedReasons, skippedCount }: Pick<PayrollPreview, 'skippedReasons' | 'skippedCount'>,
  walletType: WalletType,
): string {
  const people = employeesWords(skippedCount);
  const parts = skippedReasons.map(({ reason, count }) => ({
    reason,
    words: `${formatCount(count)} ${skippedWords(reason, count, walletType)}`,
  }));
  const [only] = parts;
  if (parts.length === 1 && only?.reason === 'no_wallet') {
    return `${people} ${skippedWords('no_wallet', skippedCount, walletType)} and will be skipped.`;
  }
  return `${people} will be skipped. ${parts.map(({ words }) => words).join(', ')}.`;
}

function skippedWords(reason: PayrollLineReason, count: number, walletType: WalletType): string {
  const isOne = count === 1;
  const account = walletAccountWords(walletType);
  if (reason === 'no_wallet') return `${isOne ? 'has' : 'have'} no ${account}`;
  if (reason === 'wallet_closed') return `${isOne ? 'has' : 'have'} a closed ${account}`;
  if (reason === 'applicant') return `${isOne ? 'is' : 'are'} not accepted yet`;
  if (reason === 'employee_inactive') return `${isOne ? 'is' : 'are'} no longer with the company`;
  if (reason === 'other_department') return `${isOne ? 'is' : 'are'} in another department now`;
  return isOne ? 'has another reason' : 'have other reasons';
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

function paidColumns(
  preview: PreviewTablesProps['preview'],
  walletType: WalletType,
): Column<PaidLine>[] {
  return [
    {
      id: 'employee',
      header: 'Will be paid',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ employee, paid, deducted }) => (
        <>
          <Clipped isName>{employee.name}</Clipped>
          {paid !== null && <PaidNote paid={paid} />}
          {deducted.minor !== '0' && (
            <span className="meta num paid-note">
              {`${formatMoney(deducted)} of it is taken for a recovery`}
            </span>
          )}
        </>
      ),
      total: `Total, ${employeesWords(preview.payableCount)}`,
    },
    {
      id: 'employeeId',
      header: 'Employee ID',
      narrow: 'hidden',
      cell: ({ employee }) => (
        <span className="id" translate="no">
          {employee.employeeId}
        </span>
      ),
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
      cell: ({ employee }) => (
        <Clipped isName className="muted">
          {employee.name}
        </Clipped>
      ),
    },
    {
      id: 'employeeId',
      header: 'Employee ID',
      narrow: 'end',
      cell: ({ employee }) => (
        <span className="id" translate="no">
          {employee.employeeId}
        </span>
      ),
    },
    {
      id: 'reason',
      header: 'Reason',
      narrow: 'start-second',
      cell: ({ reason }) => <span className="muted">{reasonWords(reason, walletType)}</span>,
    },
  ];
}
