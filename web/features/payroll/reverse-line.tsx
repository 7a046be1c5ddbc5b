import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney, money, negated, type Money as Amount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { FollowedTransfers } from './followed-transfers.tsx';
import { GoneLine } from './recoveries/gone-line.tsx';
import {
  checkReversal,
  NO_REVERSAL,
  ReversalFields,
  ReversalHead,
  reversalOf,
  type ReversalValues,
} from './reversal-fields.tsx';
import './payroll.css';

type Reversible = RouteReply<'adminGetPayrollReversal'>;

/** Takes one paid line back; where its wallet has less, what is there, or all of it by an agreement. Shown while it is mounted. */
export function ReverseLine({ lineId, onClose }: { lineId: string; onClose: () => void }) {
  const query = useQuery(apiQuery('adminGetPayrollReversal', { params: { id: lineId } }));
  // One that cannot be read again stays, with what was typed.
  if (query.data === undefined) {
    return (
      <Dialog title="Reverse Payment" onClose={onClose}>
        <LoadedQuery query={query} what="this payment" lines={6} />
      </Dialog>
    );
  }
  const { left, available } = query.data;
  const isThere = BigInt(available.minor) >= BigInt(left.minor);
  return isThere ? (
    <ReverseForm reversible={query.data} onClose={onClose} />
  ) : (
    <GoneLine reversible={query.data} onClose={onClose} />
  );
}

function ReverseForm({ reversible, onClose }: { reversible: Reversible; onClose: () => void }) {
  const { line, left: amount, refusal } = reversible;
  const { employee } = line;
  return (
    <TaskDialog
      title="Reverse Payment"
      initial={NO_REVERSAL}
      check={checkReversal}
      send={(values: ReversalValues, options) => {
        const body = { amount, left: amount, ...reversalOf(values) };
        return call('adminReversePayrollLine', { params: { id: line.id }, body }, options);
      }}
      topics={['payroll', 'wallets']}
      done={{
        title: 'Payment Reversed',
        message: `${formatMoney(amount)} was taken back from ${employee.name}.`,
      }}
      sent={{ what: 'the reversal', where: 'in the lines of this payroll' }}
      submit={{
        label: `Reverse ${formatMoney(amount)}`,
        pending: 'Reversing',
        kind: 'danger',
        why: refusal ?? undefined,
      }}
      cancel="Keep Payment"
      onClose={onClose}
    >
      {(fields) => (
        <>
          <ReversalHead employee={employee} amount={amount} />
          {refusal !== null && <Notice tone="caution">{refusal}</Notice>}
          <div className="reversal-sums">
            <Facts isTight facts={factsOf(reversible, amount)} />
          </div>
          <FollowedTransfers lineId={line.id} />
          <ReversalFields who="employee" fields={fields} />
          <p className="meta">The money moves immediately. The payment stays in the history.</p>
        </>
      )}
    </TaskDialog>
  );
}

function factsOf({ line, wallet, available }: Reversible, amount: Amount): Fact[] {
  return [
    {
      label: `Available in ${WALLET_LABELS[wallet.type]} ••${wallet.last4}`,
      value: <Money amount={available} />,
    },
    { label: `Reversal of ${line.reference}`, value: <Money amount={negated(amount)} /> },
    { label: 'Available after', value: <Money amount={minus(available, amount)} /> },
  ];
}

function minus(one: Amount, other: Amount): Amount {
  return money(BigInt(one.minor) - BigInt(other.minor), one.currency);
}
