import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TotalProof } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import type { ProofTarget } from './prove-number.tsx';

interface Row {
  id: string;
  name: ReactNode;
  amount: TotalProof['total'];
}

/** What makes the current balance: each account, which opens, and what is held of it. */
export function ProvenTotal({ onOpen }: { onOpen: (target: ProofTarget) => void }) {
  const query = useQuery(apiQuery('proveTotal', {}));
  if (query.isError) return <QueryError query={query} title="Error Loading Proof" />;
  if (query.data === undefined) return <Skeleton lines={8} label="Loading the accounts" />;
  const { total, accounts } = query.data;
  const rows = accounts.flatMap(({ type, name, last4, balance, held }): Row[] => [
    {
      id: type,
      name: (
        <TextButton onPress={() => onOpen({ kind: 'balance', account: type, number: '' })}>
          {`${name} ••${last4}`}
        </TextButton>
      ),
      amount: balance,
    },
    ...held.map(({ reference, description, amount }) => ({
      id: reference,
      name: <span className="proof__held proof__words">Held, {lowerFirst(description)}</span>,
      amount,
    })),
  ]);
  return (
    <div className="proof">
      <div className="proof__number">
        <p className="muted">Current Balance, what you can use now</p>
        <Balance amount={total} />
      </div>
      <Table
        label="What makes the current balance"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'account',
            header: 'Account',
            cell: ({ name }) => name,
            isRowHeader: true,
            narrow: 'start',
            total: 'Current Balance',
          },
          {
            id: 'amount',
            header: 'Amount',
            align: 'right',
            narrow: 'end',
            cell: ({ amount }) => <Money amount={amount} />,
            total: <Money amount={total} />,
          },
        ]}
      />
      <p className="muted">
        Money that is held is still yours, and comes back if the withdrawal is cancelled. Open an
        account to see every entry behind its balance.
      </p>
    </div>
  );
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
