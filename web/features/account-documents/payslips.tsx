import { useNavigate } from '@tanstack/react-router';
import type { AccountDocuments, Payslip } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { documentActsColumn } from './acts.tsx';
import { useDocumentsPlace } from './place.ts';

/** Payslips of a year, with their total. */
export function Payslips({ documents }: { documents: AccountDocuments | undefined }) {
  const navigate = useNavigate();
  const place = useDocumentsPlace();
  const open = ({ id }: Payslip) => void navigate({ href: place.screen(id) });
  const items = documents?.payslips.items ?? [];
  const total = documents?.payslips.total ?? 0;
  return (
    <>
      <Table
        label="Payslips, newest first"
        columns={columnsOf(documents, open)}
        rows={items}
        isLoading={documents === undefined}
        placeholder={
          documents !== undefined && total === 0 ? <NoPayslips documents={documents} /> : undefined
        }
      />
      {documents !== undefined && documents.payslips.reimbursed.minor !== '0' && (
        <p className="muted mt-3">
          <Money amount={documents.payslips.reimbursed} /> of this was reimbursed to you and does
          not count as earnings.
        </p>
      )}
      {total > items.length && (
        <p className="muted mt-3">
          The newest {counted(items.length, 'payslip')} of {total} are listed. The others are in
          your transaction history.
        </p>
      )}
    </>
  );
}

/** Part of a payment that was taken back: the whole amount is faded, of a part the rest is shown. */
function reversedWords({ reversed, isReversed }: Pick<Payslip, 'reversed' | 'isReversed'>): string {
  if (isReversed) return ', taken back';
  return reversed.minor === '0' ? '' : `, ${formatMoney(reversed)} taken back`;
}

function NoPayslips({ documents: { year, years, nextPayday } }: { documents: AccountDocuments }) {
  if (year !== years[0]) return <EmptyState title={`No payslips in ${year}`} />;
  const day = nextPayday === null ? '' : `, ${formatDay(nextPayday.date, 'date')}`;
  return (
    <EmptyState
      title="No documents yet"
      hint={`Your first payslip appears after your first payday${day}.`}
    />
  );
}

function columnsOf(
  documents: AccountDocuments | undefined,
  open: (payslip: Payslip) => void,
): Column<Payslip>[] {
  const hasTotal = documents !== undefined && documents.payslips.total > 0;
  return [
    {
      id: 'paid-on',
      header: 'Pay date',
      isRowHeader: true,
      narrow: 'start',
      cell: (payslip) => (
        <RowLink
          label={`Open the payslip of ${formatDay(payslip.paidOn, 'date')}, ${payslip.reference}`}
          onPress={() => open(payslip)}
        >
          {formatDay(payslip.paidOn, 'date')}
        </RowLink>
      ),
      ...(hasTotal && {
        total: `${counted(documents.payslips.total, 'payslip')} in ${documents.year}`,
      }),
    },
    textColumn({
      id: 'period',
      header: 'Pay period',
      narrow: 'hidden',
      text: ({ payPeriod }) => payPeriod,
    }),
    referenceColumn({ narrow: 'start-second', reference: ({ reference }) => reference }),
    textColumn({
      id: 'kind',
      header: 'Kind',
      narrow: 'hidden',
      text: ({ kind }) => kind,
    }),
    textColumn({
      id: 'account',
      header: 'Account',
      narrow: 'hidden',
      text: ({ account, ...payslip }) => account + reversedWords(payslip),
    }),
    moneyColumn({
      header: 'Paid',
      narrow: 'end',
      amount: ({ amount, reversed, isReversed }) =>
        isReversed ? amount : money(BigInt(amount.minor) - BigInt(reversed.minor), amount.currency),
      isFaded: ({ isReversed }) => isReversed,
      ...(hasTotal && { total: <Money amount={documents.payslips.totalPaid} /> }),
    }),
    documentActsColumn(({ id, reference }) => ({ id, name: `payslip ${reference}` })),
  ];
}
