import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import type { ProofSubject } from '#contract/verify-shown.ts';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { Time } from '#web/ui/time.tsx';
import type { ProofTarget } from './proof-target.ts';

type BalanceProof = Extract<ProofSubject, { kind: 'balance' }>['proof'];

interface BalanceEntriesProps {
  proof: BalanceProof;
  onOpen?: ((target: ProofTarget) => void) | undefined;
}

type Row = BalanceProof['entries'][number] | 'before';

/** Opening balance, each entry with the block that seals it, and the resulting balance. */
export function BalanceEntries({ proof, onOpen }: BalanceEntriesProps) {
  const { account, before, entries, balance } = proof;
  const isFirst = before.number === '0';
  const newest = entries.at(-1);
  const columns: Column<Row>[] = [
    {
      id: 'date',
      header: 'Date',
      narrow: 'start-second',
      cell: (row) => (row === 'before' ? '' : <Day at={row.event.at} />),
      total: newest === undefined ? '' : <Day at={newest.event.at} />,
    },
    {
      id: 'entry',
      header: 'Entry',
      isRowHeader: true,
      narrow: 'start',
      cell: (row) => {
        if (row !== 'before') {
          const { type, reference } = row.event;
          return (
            <span className="proof__words">{`${TRANSACTION_TYPE_LABELS[type]} ${reference}`}</span>
          );
        }
        if (isFirst || onOpen === undefined) return 'Balance before';
        const target = { kind: 'balance', account: account.type, number: before.number } as const;
        return <TextButton onPress={() => onOpen(target)}>Balance before</TextButton>;
      },
      total: 'Balance',
    },
    {
      id: 'block',
      header: 'Block',
      align: 'right',
      narrow: 'hidden',
      cell: (row) => {
        if (row === 'before') return '';
        const height = row.movement.proof?.block.height;
        return height === undefined ? 'Not sealed yet' : formatCount(BigInt(height));
      },
      total: '',
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: (row) =>
        row === 'before' ? (
          <Money amount={before.balance} />
        ) : (
          <Money amount={row.event.amount} signs="always" />
        ),
      total: <Money amount={balance} />,
    },
  ];
  return (
    <Table
      label="The entries that make this balance"
      isDense
      columns={columns}
      rows={['before' as const, ...entries]}
      rowKey={(row) => (row === 'before' ? row : row.event.id)}
    />
  );
}

function Day({ at }: { at: string }) {
  return <Time at={at} as="short" by="company" className="nowrap" />;
}
