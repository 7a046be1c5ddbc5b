import type { Wallet } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { classNames } from '#web/ui/class-names.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/toast-queue.ts';

/** `084207311` is read more easily as `084 207 311`. */
function grouped(routingNumber: string): string {
  return routingNumber.replaceAll(/(\d{3})(?=\d)/g, '$1 ');
}

async function fetchAccountNumber(walletId: string): Promise<string> {
  const { accountNumber } = await call('revealWallet', { params: { id: walletId } });
  return accountNumber;
}

interface AccountCardProps {
  wallet: Wallet;
  isFirst: boolean;
  /** There is money in it that may leave: until then the way there is quiet. */
  canWithdraw: boolean;
}

/** One account: what is available in it, its numbers, and the way to take money out. */
export function AccountCard({ wallet, isFirst, canWithdraw }: AccountCardProps) {
  const isHeld = wallet.held.minor !== '0';
  const withdrawHref = `/employee/withdraw?from=${wallet.id}`;
  return (
    <li className={classNames('account', isFirst && 'account--first')} aria-label={wallet.name}>
      <h2 className="account__name">
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
            Balance <Money amount={wallet.balance} />, <Money amount={wallet.held} /> pending
          </>
        )}
      </p>
      <dl className="account__numbers">
        <AccountNumber
          label="Account"
          shown={`•••• ${wallet.accountNumberLast4}`}
          value={() => fetchAccountNumber(wallet.id)}
          walletName={wallet.name}
        />
        <AccountNumber
          label="Routing"
          shown={grouped(wallet.routingNumber)}
          value={wallet.routingNumber}
          walletName={wallet.name}
        />
      </dl>
      <div className="account__actions">
        <LinkButton
          href={withdrawHref}
          kind={canWithdraw ? 'money' : 'outline'}
          shape={isFirst ? 'standard' : 'text'}
          aria-label={`Withdraw from ${wallet.name}`}
        >
          Withdraw
        </LinkButton>
      </div>
    </li>
  );
}

interface AccountNumberProps {
  /** Which number of the account. */
  label: 'Account' | 'Routing';
  shown: string;
  value: string | (() => Promise<string>);
  walletName: string;
}

function AccountNumber({ label, shown, value, walletName }: AccountNumberProps) {
  return (
    <div>
      <dt>
        {label} <span className="account__word">number</span>
      </dt>
      <dd>{shown}</dd>
      <dd>
        <CopyButton
          value={value}
          label={`Copy ${label.toLowerCase()} number of ${walletName}`}
          onCopied={() => toast({ title: 'Copied!' })}
          onFailed={() =>
            toast({
              title: 'Not copied',
              message: 'Your browser did not allow it. Please try again.',
              tone: 'critical',
            })
          }
        />
      </dd>
    </div>
  );
}
