import type { Wallet } from '#contract/api.ts';
import type { Money as Amount } from '#contract/money.ts';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { FieldText } from '#web/ui/field-text.tsx';
import type { FieldProps } from '#web/ui/field.tsx';
import { Money } from '#web/ui/money.tsx';
import { Select } from '#web/ui/select.tsx';

interface WalletFieldProps extends FieldProps {
  /** The id of the chosen wallet. */
  value: string;
  onChange: (id: string) => void;
  wallets: readonly Wallet[];
  /** Shown while nothing is chosen. With no wallets, the reason why there are none. */
  placeholder?: string | undefined;
}

/** The wallet that money comes from or goes to. A single wallet is no choice and is shown as text. */
export function WalletField({ wallets, value, onChange, placeholder, ...field }: WalletFieldProps) {
  const [only] = wallets;
  if (only !== undefined && wallets.length === 1 && value === only.id) {
    return <FieldText {...field}>{walletLabel(only)}</FieldText>;
  }
  return (
    <Select
      {...field}
      value={value}
      onChange={onChange}
      placeholder={placeholder}
      options={wallets.map((each) => ({ value: each.id, label: walletLabel(each) }))}
    />
  );
}

/** Amount in a wallet, to the right of the label of a field. */
export function Available({ amount }: { amount: Amount }) {
  return (
    <span className="muted num">
      Available <Money amount={amount} />
    </span>
  );
}
