import type { WalletType } from '#contract/wallets.ts';

/** The number to prove. */
export type ProofTarget =
  | { kind: 'event'; id: string }
  /** `number` is an entry number. The balance is that after the entry, or the newest one for ''. */
  | { kind: 'balance'; account: WalletType; number: string }
  | { kind: 'total'; of: 'balance' | 'received' | 'withdrawn' };

export interface ProveNumberProps {
  target: ProofTarget;
  onClose: () => void;
  /** Returns to the dialog that opened this one, if there is one. */
  onBack?: (() => void) | undefined;
}
