import type { ReactNode } from 'react';
import type { BalanceProof } from '#contract/api.ts';
import { Money } from '#web/ui/money.tsx';
import { Table } from '#web/ui/table.tsx';

interface Part {
  id: string;
  name: ReactNode;
  amount: BalanceProof['balance'];
}

export function heldParts(held: BalanceProof['held']): Part[] {
  return held.map(({ reference, description, amount }) => ({
    id: reference,
    name: <span className="proof__words">{description}</span>,
    amount,
  }));
}

interface PartsTableProps {
  label: string;
  /** Heading of the first column: the kind of the rows. */
  head: string;
  rows: readonly Part[];
  total: Pick<Part, 'name' | 'amount'>;
}

/** Table of the parts of a number, with the number as its total. */
export function PartsTable({ label, head, rows, total }: PartsTableProps) {
  return (
    <Table
      label={label}
      rows={rows}
      columns={[
        {
          id: 'name',
          header: head,
          cell: ({ name }) => name,
          isRowHeader: true,
          narrow: 'start',
          total: total.name,
        },
        {
          id: 'amount',
          header: 'Amount',
          align: 'right',
          narrow: 'end',
          cell: ({ amount }) => <Money amount={amount} />,
          total: <Money amount={total.amount} />,
        },
      ]}
    />
  );
}
