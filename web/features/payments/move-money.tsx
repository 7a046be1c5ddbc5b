import type { Wallet } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState, type FormFields } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { Available, WalletField } from '#web/kit/wallet-field.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { checkMove, moveSummary, planMove, type MovePlan, type MoveValues } from './check-move.ts';

interface MoveMoneyProps {
  /** At least two. */
  wallets: readonly Wallet[];
  /** Reason why nothing can be moved now. */
  why?: string | undefined;
  onClose: () => void;
}

/** Moves money between two of the person's own accounts. Shown while it is mounted. */
export function MoveMoney({ wallets, why, onClose }: MoveMoneyProps) {
  const state = useFormState<MoveValues>({
    initial: {
      fromWalletId: wallets[0]?.id ?? '',
      toWalletId: wallets.length === 2 ? (wallets[1]?.id ?? '') : '',
      amount: '',
    },
    check: (values) => checkMove(values, wallets),
  });
  const plan = planMove(state.form.watch(), wallets);
  const task = useFormTask(state, {
    send: (values: MoveValues, options) => {
      const checked = planMove(values, wallets);
      if (checked === null) throw new Error('values that were not checked');
      const { from, to, amount } = checked;
      const body = { fromWalletId: from.id, toWalletId: to.id, amount };
      return call('moveMoney', { body }, options);
    },
    places: {
      amount_invalid: 'amount',
      insufficient_funds: 'amount',
      same_wallet: 'toWalletId',
      wallet_not_found: 'toWalletId',
    },
    topics: ['wallets'],
    done: ({ amount, fromName, toName, reference }) => ({
      title: 'Money Moved',
      message: `${formatMoney(amount)} from ${fromName} to ${toName}. Reference ${reference}.`,
    }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Move Money"
      state={state}
      task={task}
      summary={moveSummary(state.problems)}
      sent={{ what: 'your move', where: 'under Recent Activity' }}
      submit={{
        label: plan === null ? 'Move Money' : `Move ${formatMoney(plan.amount)}`,
        pending: 'Moving',
        kind: 'money',
        why,
      }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <ShownAmounts>
            <MoveFields fields={fields} wallets={wallets} />
          </ShownAmounts>
          {plan !== null && <AfterMove {...plan} />}
        </>
      )}
    </FormDialog>
  );
}

function MoveFields({
  fields: { fromWalletId, toWalletId, amount },
  wallets,
}: {
  fields: FormFields<MoveValues>;
  wallets: readonly Wallet[];
}) {
  const from = wallets.find(({ id }) => id === fromWalletId.value);
  return (
    <>
      <WalletField
        label="From Account"
        isRequired
        wallets={wallets}
        {...fromWalletId}
        onChange={(id) => {
          // The two change places, so that they are never the same account.
          if (id === toWalletId.value) toWalletId.onChange(fromWalletId.value);
          fromWalletId.onChange(id);
        }}
      />
      <WalletField
        label="To Account"
        isRequired
        placeholder="Choose an account"
        wallets={wallets.filter(({ id }) => id !== fromWalletId.value)}
        {...toWalletId}
      />
      {from !== undefined && (
        <MoneyField
          label="Amount"
          isRequired
          currency={from.available.currency}
          aside={<Available amount={from.available} />}
          {...amount}
        />
      )}
    </>
  );
}

/** Available balances of both accounts afterwards. */
function AfterMove({ from, to, fromAfter, toAfter }: MovePlan) {
  return (
    <Facts
      isTight
      facts={[
        { label: 'Arrives', value: 'Immediately' },
        { label: 'Fee', value: 'None' },
        {
          label: 'Available after',
          value: (
            <>
              <p>
                {from.name} <Money amount={fromAfter} />
              </p>
              <p>
                {to.name} <Money amount={toAfter} />
              </p>
            </>
          ),
        },
      ]}
    />
  );
}
