import type { WalletType } from '#contract/wallets.ts';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';

/** The number that is asked about. */
export type ProofTarget =
  | { kind: 'event'; id: string }
  /** After the entry of that number; '' is the newest. */
  | { kind: 'balance'; account: WalletType; number: string }
  | { kind: 'total'; of: 'balance' | 'received' | 'withdrawn' };

export interface ProveNumberProps {
  target: ProofTarget;
  onClose: () => void;
  /** Where it was opened from another dialog: leads back to it. */
  onBack?: (() => void) | undefined;
}

export const ProveNumber = loadedDialog<ProveNumberProps>(
  async () => (await import('./proof-dialog.tsx')).ProofDialog,
);
