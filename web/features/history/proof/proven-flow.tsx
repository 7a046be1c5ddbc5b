import { useQuery } from '@tanstack/react-query';
import type { TotalProof } from '#contract/api.ts';
import { money, type Currency, type Money as Amount } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import type { ProofTarget } from './proof-target.ts';

type Flow = TotalProof['flows'][number];

const LABELS = { received: 'Total Received', withdrawn: 'Total Withdrawn' };

/** Explains each total, and names the field that sums its requests. */
const CONTENT = {
  received: {
    words: 'Payroll, deposits, payments from colleagues and money added by your company.',
    part: { label: 'Completed deposits', of: 'deposits' },
  },
  withdrawn: {
    words: 'Withdrawals, bills and payments to colleagues.',
    part: { label: 'Completed withdrawals', of: 'withdrawals' },
  },
} as const;

interface ProvenFlowProps {
  of: keyof typeof LABELS;
  onOpen: (target: ProofTarget) => void;
}

/** Parts of the total received or sent. Each account opens the proof of its balance. */
export function ProvenFlow(props: ProvenFlowProps) {
  const query = useQuery(apiQuery('proveTotal', {}));
  return (
    <LoadedQuery
      query={query}
      what="the proof"
      placeholder={<Skeleton lines={8} label="Loading the accounts" />}
    >
      {(proof) => <Flows {...props} proof={proof} />}
    </LoadedQuery>
  );
}

function Flows({ of, onOpen, proof }: ProvenFlowProps & { proof: TotalProof }) {
  const { flows, total, completed } = proof;
  const { words, part } = CONTENT[of];
  const amount = sumOf(flows, of, total.currency);
  return (
    <div className="proof">
      <div className="proof__number">
        <p className="muted">{LABELS[of]}, in all accounts</p>
        <Balance amount={amount} />
        <p className="muted">{words}</p>
      </div>
      <Facts facts={[{ label: part.label, value: <Money amount={completed[part.of]} /> }]} />
      <Table
        label={`What makes the ${LABELS[of].toLowerCase()}`}
        rows={flows}
        rowKey={({ type }) => type}
        columns={columnsOf(flows, { of, currency: total.currency, onOpen })}
      />
      <p className="muted">
        What an account received, less what was withdrawn from it, is its balance. Money that came
        back does not count as withdrawn, and money that was taken back does not count as received.
        {hasMoved(flows) &&
          ' Money moved between your accounts is in neither: it is added to the one and taken from the other.'}{' '}
        Open an account to see every entry behind its balance.
      </p>
    </div>
  );
}

function columnsOf(
  flows: readonly Flow[],
  { of, currency, onOpen }: ProvenFlowProps & { currency: Currency },
): Column<Flow>[] {
  const amounts = [
    ['received', 'Received'],
    ['withdrawn', 'Withdrawn'],
    ...(hasMoved(flows) ? [['moved', 'Moved'] as const] : []),
    ['balance', 'Balance'],
  ] as const;
  return [
    {
      id: 'account',
      header: 'Account',
      isRowHeader: true,
      narrow: 'start',
      total: 'All accounts',
      cell: ({ type, name, last4, isClosed }) => (
        <>
          <TextButton onPress={() => onOpen({ kind: 'balance', account: type, number: '' })}>
            {`${name} ••${last4}`}
          </TextButton>
          {isClosed && <span className="muted"> closed</span>}
        </>
      ),
    },
    ...amounts.map(([name, header]): Column<Flow> => ({
      id: name,
      header,
      align: 'right',
      // A phone has room for the requested direction only.
      narrow: name === of ? 'end' : 'hidden',
      cell: (flow) => <Money amount={flow[name]} />,
      total: <Money amount={sumOf(flows, name, currency)} />,
    })),
  ];
}

function hasMoved(flows: readonly Flow[]): boolean {
  return flows.some(({ moved }) => moved.minor !== '0');
}

function sumOf(
  flows: readonly Flow[],
  name: 'received' | 'withdrawn' | 'moved' | 'balance',
  currency: Currency,
): Amount {
  return money(
    flows.reduce((sum, flow) => sum + BigInt(flow[name].minor), 0n),
    currency,
  );
}
