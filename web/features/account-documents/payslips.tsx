import { useNavigate } from '@tanstack/react-router';
import type { AccountDocuments, Payslip } from '#contract/api.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { documentActsColumn, documentHref } from './acts.tsx';

/** The payslips of a year, with what all of them paid. */
export function Payslips({ documents }: { documents: AccountDocuments | undefined }) {
  const navigate = useNavigate();
  const open = ({ id }: Payslip) => void navigate({ to: documentHref(id) });
  const items = documents?.payslips.items ?? [];
  const total = documents?.payslips.total ?? 0;
  return (
    <>
      <Table
        label="Payslips, newest first"
        columns={columnsOf(documents, open)}
        rows={items}
        rowKey={({ id }) => id}
        isLoading={documents === undefined}
        placeholder={
          documents !== undefined && total === 0 ? <NoPayslips documents={documents} /> : undefined
        }
      />
      {total > items.length && (
        <p className="muted mt-3">
          The newest {counted(items.length, 'payslip')} of {total} are listed. The others are in
          your transaction history.
        </p>
      )}
    </>
  );
}

function NoPayslips({ documents: { year, years, nextPayday } }: { documents: AccountDocuments }) {
  if (year !== years[0]) return <EmptyState title={`No payslips in ${year}`} />;
  return (
    <EmptyState
      title="No documents yet"
      hint={`Your first payslip is here after your first payday, ${formatDay(nextPayday.date, 'date')}.`}
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
      id: 'account',
      header: 'Account',
      narrow: 'hidden',
      text: ({ account, isReversed }) => (isReversed ? `${account}, taken back` : account),
    }),
    moneyColumn({
      header: 'Paid',
      narrow: 'end',
      amount: ({ amount }) => amount,
      isFaded: ({ isReversed }) => isReversed,
      ...(hasTotal && { total: <Money amount={documents.payslips.totalPaid} /> }),
    }),
    documentActsColumn(({ id, reference }) => ({ id, name: `payslip ${reference}` })),
  ];
}
