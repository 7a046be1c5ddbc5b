import type { TransactionPage } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatCount } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table } from '#web/ui/table.tsx';

type Entry = TransactionPage['entries'][number];

/** Entries of a posting: payer, recipient, and their sum of zero. */
export function Sides({ transaction: { entries, amount } }: { transaction: TransactionPage }) {
  const { name } = useCompany();
  const sum = entries.reduce((total, entry) => total + BigInt(entry.amount.minor), 0n);
  return (
    <Section title="Both sides">
      <Table
        label="Entries of the transaction"
        rows={entries}
        rowKey={({ accountId }) => accountId}
        columns={[
          {
            id: 'side',
            header: 'Side',
            cell: (entry) => (isPaying(entry) ? 'From' : 'To'),
            total: 'Sum',
          },
          {
            id: 'account',
            header: 'Account',
            isRowHeader: true,
            cell: ({ holder, account }) => (
              <>
                {holder === null ? (
                  name
                ) : (
                  <TextLink href={`/admin/employees/${holder.id}`}>{holder.name}</TextLink>
                )}
                <span className="transaction__account">{account}</span>
              </>
            ),
            total: '',
          },
          {
            id: 'entry',
            header: 'Entry',
            align: 'right',
            cell: ({ number }) => (
              <span className="id" translate="no">
                {formatCount(BigInt(number))}
              </span>
            ),
            total: '',
          },
          {
            id: 'amount',
            header: 'Amount',
            align: 'right',
            cell: (entry) => <Money amount={entry.amount} signs="always" />,
            total: <Money amount={money(sum, amount.currency)} />,
          },
          {
            id: 'balance',
            header: 'Balance after',
            align: 'right',
            cell: ({ balanceAfter }) => (
              <span className="muted">
                <Money amount={balanceAfter} />
              </span>
            ),
            total: '',
          },
        ]}
      />
    </Section>
  );
}

function isPaying({ amount }: Entry): boolean {
  return amount.minor.startsWith('-');
}
