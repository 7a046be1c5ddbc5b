import type { BankAccount, Wallet } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { useCompany } from '#web/lib/company.ts';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { WITHDRAWAL_PROBLEMS } from './check-withdrawal.ts';
import { arrivalText, availableAfter } from './withdrawal-plan.ts';
import './withdraw.css';

interface WithdrawalSummaryProps {
  wallet: Wallet | undefined;
  bank: BankAccount | undefined;
  /** Minor units; null while no amount can be read. */
  amountMinor: bigint | null;
  urgency: Urgency;
}

/** Effect of the form, while it is filled in. */
export function WithdrawalSummary(props: WithdrawalSummaryProps) {
  const { wallet, bank, amountMinor, urgency } = props;
  const company = useCompany();
  if (wallet === undefined) return null;
  const { currency } = wallet.available;
  const minor = amountMinor ?? 0n;
  const left = availableAfter(wallet, minor);
  const facts: Fact[] = [
    {
      label: 'You withdraw',
      value: (
        <ShownAmounts>
          <Money amount={money(-minor, currency)} />
        </ShownAmounts>
      ),
    },
    {
      label: 'Available after',
      value: left.minor.startsWith('-') ? WITHDRAWAL_PROBLEMS.funds : <Money amount={left} />,
    },
  ];
  if (bank !== undefined) {
    facts.push({
      label: `Expected at ${bank.bankName} ••${bank.accountNumberLast4}`,
      value: arrivalText(urgency, company),
    });
  }
  return (
    <div className="withdraw__summary">
      <Facts isTight facts={facts} />
    </div>
  );
}
