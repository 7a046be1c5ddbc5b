import type { BankAccount } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { bankLabel } from './bank-label.ts';
import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { errorMessage } from '#web/api/query.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import './bank-accounts.css';
import {
  ACCOUNT_FORMAT_OF,
  ACCOUNTS,
  accountTypeLabel,
  accountWords,
  factLabel,
  formatRefusal,
} from '#contract/account-formats.ts';
import type { Currency } from '#contract/money.ts';
import { useCompany } from '#web/lib/company.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { refusalOf } from '#web/lib/offered-acts.ts';
import { Button } from '#web/ui/button.tsx';
import { DatedRail, type DatedStep } from '#web/ui/dated-rail.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import type { ProvableAccount } from './enter-micro-deposits.tsx';
import { openProof, triesWords } from './proof-words.ts';
import { ReturnedNotice } from './returned-notice.tsx';

interface BankAccountRowProps {
  account: BankAccount;
  onEdit: () => void;
  onDelete: () => void;
  onProve: (account: ProvableAccount) => void;
}

/** One bank account: its numbers, how its verification stands, and what can be done with it. */
export function BankAccountRow({ account, onEdit, onDelete, onProve }: BankAccountRowProps) {
  const name = bankLabel(account);
  const { routing, number } = accountWords(account);
  const { currency } = useCompany();
  const isOtherFormat = formatRefusal(account, currency) !== null;
  const coolingOff = account.status === 'returned' ? null : stillCoolingOff(account);
  const confirm = useConfirmDetails(account);
  return (
    <li className="bank">
      <div>
        <h3 className="row-title">
          {account.bankName}
          {account.isPrimary && <Tag>Primary</Tag>}
        </h3>
        <p className="muted">
          {[accountTypeLabel(account), account.accountHolderName].filter(Boolean).join(', ')}
        </p>
      </div>
      <dl className={routing === null ? 'bank__alone' : undefined}>
        <dt>{factLabel(number)}</dt>
        <dd>
          <BankAccountNumber account={account} />
        </dd>
      </dl>
      {routing !== null && (
        <dl>
          <dt>{factLabel(routing)}</dt>
          <dd>{routing.shown(account.routingNumber)}</dd>
        </dl>
      )}
      <dl>
        <dt>Added</dt>
        <dd>
          <Time at={account.addedAt} as="date" />
        </dd>
      </dl>
      <div className="bank__status">
        <Status status={account.status} />
      </div>
      <div className="bank__acts">
        <Button
          shape="text"
          aria-label={`Edit ${name}`}
          isDisabled={refusalOf(account, 'edit') !== undefined}
          onPress={onEdit}
        >
          Edit
        </Button>
        <Button
          shape="text"
          aria-label={`Delete ${name}`}
          isDisabled={refusalOf(account, 'remove') !== undefined}
          onPress={onDelete}
        >
          Delete
        </Button>
      </div>
      {refusalOf(account, 'remove') !== undefined && (
        <p className="bank__wide meta">
          A withdrawal to this account is in progress. It can be{' '}
          {refusalOf(account, 'edit') !== undefined && 'changed or '}deleted once that has arrived.
        </p>
      )}
      {isOtherFormat && <OtherFormat currency={currency} />}
      {coolingOff !== null && (
        <p className="bank__wide meta">
          {account.isNew
            ? 'This account is new.'
            : 'This account, your password or your email address was changed.'}{' '}
          It can be paid from <Time at={coolingOff} as="dateTime" />.
        </p>
      )}
      {account.status === 'pending' && (
        <div className="bank__wide bank__rail">
          <DatedRail
            label={`Verification of ${name}`}
            layout="lying"
            moments="shortDateTime"
            steps={verification(account)}
          />
          <MicroDeposits account={account} onProve={onProve} />
        </div>
      )}
      {account.status === 'returned' && (
        <div className="bank__wide">
          <ReturnedNotice account={account}>
            <p className="mt-4">
              No money can be sent to this account until it is verified again. Confirm the details
              if they are right, or edit them.
            </p>
            {!isOtherFormat && (
              <p className="mt-4">
                <ActionButton shape="small" action={confirm}>
                  Confirm Details
                </ActionButton>
              </p>
            )}
          </ReturnedNotice>
        </div>
      )}
      {account.status === 'rejected' && (
        <div className="bank__wide">
          <Notice tone="critical">
            <p className="strong">{account.rejectionReason}</p>
            <p>Edit the account to have it checked again.</p>
          </Notice>
        </div>
      )}
    </li>
  );
}

/** Notice of an account whose numbers are not those of the company's currency. */
function OtherFormat({ currency }: { currency: Currency }) {
  const { needs } = ACCOUNTS[ACCOUNT_FORMAT_OF[currency]];
  return (
    <p className="bank__wide meta">
      Your company pays in {currency}. Its payout files do not reach this account: add one with{' '}
      {needs}.
    </p>
  );
}

/** The button for the amounts of the account's micro-deposits, once these have arrived. */
function MicroDeposits({ account, onProve }: Pick<BankAccountRowProps, 'account' | 'onProve'>) {
  const { microDeposits } = account;
  const isReady = account.acts.some(({ act, refusal }) => act === 'prove' && refusal === null);
  if (microDeposits === null || !isReady) return null;
  return (
    <div className="bank__prove">
      <Button kind="solid" shape="small" onPress={() => onProve({ ...account, microDeposits })}>
        Enter Amounts
      </Button>
      <span className="meta">{triesWords(microDeposits)}</span>
    </div>
  );
}

/** Steps that verify a pending account. Nobody promises when, so there is no time to expect. */
function verification(account: BankAccount): DatedStep[] {
  const { history } = account;
  const { routing, number } = accountWords(account);
  const proof = openProof(account);
  const added = history.flatMap(({ at, by }): DatedStep[] => [
    {
      state: 'done',
      what: 'Added',
      who: by ?? undefined,
      at,
    },
  ]);
  return [
    ...added,
    proof === null
      ? {
          state: 'now',
          what: 'Waiting for approval',
          who: `An administrator checks the holder name and ${(routing ?? number).name}`,
        }
      : { state: 'now', what: proof.what, who: proof.note },
    { state: 'next', what: 'Verified', who: 'Ready for withdrawals' },
  ];
}

async function fetchNumber(id: string): Promise<string> {
  const { accountNumber } = await call('revealBankAccount', { params: { id } });
  return accountNumber;
}

/** The masked account number. It is fetched only to be shown or copied, and forgotten when hidden. */
function BankAccountNumber({ account }: { account: BankAccount }) {
  const name = bankLabel(account);
  const { number } = accountWords(account);
  const reveal = useMutation({
    mutationFn: () => fetchNumber(account.id),
    onError: (error) =>
      toast({ title: errorMessage(error, 'Please try again.'), tone: 'critical' }),
  });
  const isShown = reveal.data !== undefined;
  return (
    <span className="bank__number">
      {reveal.data === undefined ? `•••• ${account.accountNumberLast4}` : number.shown(reveal.data)}
      <IconButton
        icon={isShown ? EyeOff : Eye}
        isSmall
        label={`${isShown ? 'Hide' : 'Show'} ${number.name} of ${name}`}
        isPending={reveal.isPending}
        onPress={() => (isShown ? reveal.reset() : reveal.mutate())}
      />
      <CopyValue value={() => fetchNumber(account.id)} label={`Copy ${number.name} of ${name}`} />
    </span>
  );
}

/** Hands an account in again with the same details, so that it is verified again after a returned payout. */
function useConfirmDetails(account: BankAccount) {
  const { id, bankName, accountType, routingNumber, accountHolderName } = account;
  return useAction({
    send: () =>
      call('updateBankAccount', {
        params: { id },
        body: { bankName, accountType, routingNumber, accountHolderName },
      }),
    topics: ['bank-accounts'],
    done: (saved) => ({
      title: 'Bank Account Confirmed',
      message: `${bankLabel(saved)} is pending verification.`,
    }),
    failed: 'Bank account not confirmed',
  });
}
