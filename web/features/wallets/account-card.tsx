import { ACCOUNT_FORMAT_OF, ACCOUNTS, factLabel } from '#contract/account-formats.ts';
import type { Wallet } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Balance, Money } from '#web/ui/money.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TextButton } from '#web/ui/text-button.tsx';

async function fetchAccountNumber(walletId: string): Promise<string> {
  const { accountNumber } = await call('revealWallet', { params: { id: walletId } });
  return accountNumber;
}

interface AccountCardProps {
  wallet: Wallet;
  isFirst: boolean;
  onWithdraw: (wallet: Wallet) => void;
  onDeposit: (wallet: Wallet) => void;
  /** Shows the entries that make the balance. */
  onProve: (wallet: Wallet) => void;
  /** True if it holds money that may leave. Otherwise Withdraw is a quiet button. */
  canWithdraw: boolean;
}

/** One account: available balance, numbers, and buttons to withdraw and deposit. */
export function AccountCard(props: AccountCardProps) {
  const { wallet, isFirst, canWithdraw, onWithdraw, onDeposit, onProve } = props;
  const { routing } = ACCOUNTS[ACCOUNT_FORMAT_OF[wallet.available.currency]];
  const isHeld = wallet.held.minor !== '0';
  return (
    <li className={classNames('account', isFirst && 'account--first')} aria-label={wallet.name}>
      <h2 className="row-title account__name">
        {wallet.name}
        {wallet.isPrimary && <Tag>Primary</Tag>}
      </h2>
      <p className="account__label">Available</p>
      <div className="account__balance">
        <Balance amount={wallet.available} size={isFirst ? 'large' : 'small'} />
      </div>
      <p className="account__note">
        {isHeld && (
          <>
            Balance <Money amount={wallet.balance} />, <Money amount={wallet.held} /> pending.{' '}
          </>
        )}
        <TextButton
          aria-label={`Prove this number: ${wallet.name}`}
          onPress={() => onProve(wallet)}
        >
          Prove this number
        </TextButton>
      </p>
      <dl className="account__numbers">
        <AccountNumber
          label="Account number"
          shown={`•••• ${wallet.accountNumberLast4}`}
          value={() => fetchAccountNumber(wallet.id)}
          walletName={wallet.name}
        />
        {routing !== null && (
          <AccountNumber
            label={factLabel(routing)}
            shown={
              wallet.routingNumber === null
                ? 'Not set up by your company yet'
                : routing.shown(wallet.routingNumber)
            }
            value={wallet.routingNumber}
            walletName={wallet.name}
          />
        )}
      </dl>
      <div className="account__actions">
        <Button
          kind={canWithdraw ? 'money' : 'outline'}
          shape={isFirst ? 'standard' : 'text'}
          aria-label={`Withdraw from ${wallet.name}`}
          onPress={() => onWithdraw(wallet)}
        >
          Withdraw
        </Button>
        <Button
          kind={isFirst ? 'money-outline' : 'money'}
          shape={isFirst ? 'standard' : 'text'}
          aria-label={`Deposit to ${wallet.name}`}
          onPress={() => onDeposit(wallet)}
        >
          Deposit
        </Button>
      </div>
    </li>
  );
}

interface AccountNumberProps {
  /** Name of the number: "Routing number", "Sort code". */
  label: string;
  shown: string;
  /** Null if there is no number, and nothing to copy. */
  value: string | (() => Promise<string>) | null;
  walletName: string;
}

function AccountNumber({ label, shown, value, walletName }: AccountNumberProps) {
  const [, short = label, word] = /^(.*) (number)$/.exec(label) ?? [];
  return (
    <div>
      <dt>
        {short} {word !== undefined && <span className="account__word">number</span>}
      </dt>
      <dd className={value === null ? 'account__unset' : undefined}>{shown}</dd>
      {value !== null && (
        <dd>
          <CopyValue value={value} label={`Copy ${label.toLowerCase()} of ${walletName}`} />
        </dd>
      )}
    </div>
  );
}
