import { useQuery } from '@tanstack/react-query';
import type { BankAccount, Withdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { NeededFirst } from '#web/kit/needed-first.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Select } from '#web/ui/select.tsx';
import { verifiedBanks } from './check-withdrawal.ts';
import { destinationLabel } from './withdrawal-plan.ts';

const TITLE = 'Correct and send again';

interface ResendWithdrawalProps {
  /** One that the bank sent back. */
  withdrawal: Withdrawal;
  onClose: () => void;
}

/** Sends a returned withdrawal again to a verified bank account. Shown while it is mounted. */
export function ResendWithdrawal({ withdrawal, onClose }: ResendWithdrawalProps) {
  const query = useQuery(apiQuery('listBankAccounts', {}));
  const banks = query.data && verifiedBanks(query.data.items);
  if (banks?.[0] !== undefined) {
    return <ResendForm withdrawal={withdrawal} banks={banks} first={banks[0]} onClose={onClose} />;
  }
  return (
    <NeededFirst
      title={TITLE}
      query={query}
      what="your bank accounts"
      next={
        <LinkButton kind="solid" href="/employee/bank-details">
          Go to Bank Details
        </LinkButton>
      }
      onClose={onClose}
    >
      No bank account can be paid to now. Add one, or correct the one that the bank sent this back
      from. You can send the withdrawal again once it is verified.
    </NeededFirst>
  );
}

interface ResendFormProps extends ResendWithdrawalProps {
  /** Verified ones. */
  banks: readonly BankAccount[];
  first: BankAccount;
}

function ResendForm({ withdrawal, banks, first, onClose }: ResendFormProps) {
  const { id, reference, amount, walletName, walletLast4, bankName, bankLast4 } = withdrawal;
  return (
    <TaskDialog
      title={TITLE}
      initial={{ bankAccountId: first.id }}
      check={() => ({})}
      send={(body: { bankAccountId: string }, options) =>
        call('resendWithdrawal', { params: { id }, body }, options)
      }
      topics={['withdrawals', 'wallets']}
      places={{ bank_account_not_verified: 'bankAccountId' }}
      done={(again) => ({
        title: 'Withdrawal Sent Again',
        message: `${again.reference}, ${formatMoney(amount)} to ${again.bankName} ••${again.bankLast4}, is waiting for approval.`,
      })}
      submit={{ label: `Send ${formatMoney(amount)} Again`, pending: 'Sending', kind: 'money' }}
      sent={{ what: 'your request', where: 'under Recent Withdrawals' }}
      onClose={onClose}
    >
      {({ bankAccountId }) => (
        <>
          <Facts
            isTight
            facts={[
              { label: 'Request ID', value: reference },
              { label: 'Amount', value: <Money amount={amount} /> },
              { label: 'From', value: `${walletName} ••${walletLast4}` },
              { label: 'Sent back from', value: `${bankName} ••${bankLast4}` },
            ]}
          />
          <Select
            label="Destination Bank"
            isRequired
            hint="Only verified banks are listed."
            options={banks.map((bank) => ({ value: bank.id, label: destinationLabel(bank) }))}
            {...bankAccountId}
          />
          <p className="meta">
            The amount is held now, and the request keeps its number with another ending. It is
            approved and sent like all other withdrawals.
          </p>
        </>
      )}
    </TaskDialog>
  );
}
