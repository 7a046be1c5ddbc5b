import type { RouteReply } from '#contract/api.ts';
import { formatMoney, money, negated } from '#contract/money.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table } from '#web/ui/table.tsx';

type File = RouteReply<'adminGetPayoutFile'>;

/** Sums of a file of which payments came back. */
export function PaidOfFile({ file: { total, returned } }: { file: File }) {
  if (returned.count === 0) return null;
  const paid = money(BigInt(total.minor) - BigInt(returned.total.minor), total.currency);
  const sums = [
    { id: 'sent', label: 'Sent', amount: total },
    { id: 'returned', label: 'Returned', amount: negated(returned.total) },
  ];
  return (
    <div className="section">
      <Section title="Paid" end={<TextLink href="/admin/returns">See the returns</TextLink>}>
        <Table
          label="Sent, returned and paid"
          isDense
          columns={[
            {
              id: 'label',
              header: 'Sum',
              narrow: 'start',
              isRowHeader: true,
              cell: ({ label }) => label,
              total: 'Paid',
            },
            {
              id: 'amount',
              header: 'Amount',
              align: 'right',
              narrow: 'end',
              cell: ({ amount }) => <Money amount={amount} />,
              total: <span className="num">{formatMoney(paid)}</span>,
            },
          ]}
          rows={sums}
        />
      </Section>
    </div>
  );
}
