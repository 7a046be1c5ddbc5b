import { useQuery } from '@tanstack/react-query';
import type { AdminBankAccount, EmployeePage } from '#contract/api.ts';
import { accountTypeLabel } from '#contract/account-formats.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { NeededFirst } from '#web/kit/needed-first.tsx';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Select } from '#web/ui/select.tsx';

interface PayOutBalanceProps {
  person: EmployeePage;
  onClose: () => void;
  /** Called if there is no bank account to pay to yet. */
  onEnterAccount: () => void;
}

/**
 * Requests a payout of the whole balance of a person who left to one of their verified accounts.
 */
export function PayOutBalance(props: PayOutBalanceProps) {
  const { person, onClose, onEnterAccount } = props;
  const query = useQuery(
    apiQuery('adminListBankAccounts', {
      query: { person: person.id, status: 'verified', page: 1, pageSize: MAX_PAGE_SIZE },
    }),
  );
  const accounts = query.data?.items;
  if (accounts !== undefined && accounts.length > 0) {
    return <PayOutForm {...props} accounts={accounts} />;
  }
  return (
    <NeededFirst
      title={TITLE}
      query={query}
      what="the bank accounts"
      next={
        <Button kind="solid" onPress={onEnterAccount}>
          Enter Bank Account
        </Button>
      }
      onClose={onClose}
    >
      {`${person.name} has no verified bank account. Enter one that they gave you. The balance can be paid out once another administrator has verified it.`}
    </NeededFirst>
  );
}

const TITLE = 'Pay out balance';

function PayOutForm({
  person,
  accounts,
  onClose,
}: PayOutBalanceProps & { accounts: readonly AdminBankAccount[] }) {
  const paid = person.wallets.filter(({ available }) => available.minor !== '0');
  return (
    <TaskDialog
      title={TITLE}
      initial={{ bankAccountId: lastVerified(accounts).id }}
      check={() => ({})}
      send={({ bankAccountId }: { bankAccountId: string }, options) =>
        call(
          'adminPayOutLeaver',
          { params: { id: person.id }, body: { bankAccountId, total: person.available } },
          options,
        )
      }
      topics={['withdrawals']}
      done={({ withdrawals }) => ({
        title: 'Payout Requested',
        message: `${formatMoney(person.available)} of ${person.name}, in ${counted(withdrawals.length, 'withdrawal')}. It waits for approval.`,
      })}
      submit={{
        label: `Request Payout of ${formatMoney(person.available)}`,
        pending: 'Requesting',
      }}
      sent={{ what: 'your request', where: 'under Withdrawals' }}
      onClose={onClose}
    >
      {({ bankAccountId }) => (
        <>
          <Facts
            isTight
            facts={[
              ...paid.map(({ id, name, available }) => ({
                label: name,
                value: <Money key={id} amount={available} />,
              })),
              {
                label: 'Total',
                value: (
                  <span className="strong">
                    <Money amount={person.available} />
                  </span>
                ),
              },
            ]}
          />
          <Select
            label="Bank account"
            isRequired
            options={accounts.map((account) => ({ value: account.id, label: labelOf(account) }))}
            {...bankAccountId}
          />
          <p className="meta">
            The amount is held now. It is paid out when the withdrawal is approved and completed.
          </p>
        </>
      )}
    </TaskDialog>
  );
}

function labelOf(account: AdminBankAccount): string {
  const { bankName, accountNumberLast4: last4 } = account;
  return `${[bankName, accountTypeLabel(account)].filter(Boolean).join(', ')} •••• ${last4}`;
}

/** The account most recently verified by an admin. */
function lastVerified(accounts: readonly AdminBankAccount[]): AdminBankAccount {
  const verifiedAt = ({ history }: AdminBankAccount) => history.at(-1)?.at ?? '';
  return accounts.reduce((last, one) => (verifiedAt(one) > verifiedAt(last) ? one : last));
}
