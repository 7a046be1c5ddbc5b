import { Suspense, lazy } from 'react';
import type { WalletType } from '#contract/wallets.ts';

const ProofDialog = lazy(async () => {
  const { ProofDialog: component } = await import('./proof-dialog.tsx');
  return { default: component };
});

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

/** {@link ProofDialog}, which few open, loaded when it is. */
export function ProveNumber(props: ProveNumberProps) {
  return (
    <Suspense fallback={null}>
      <ProofDialog {...props} />
    </Suspense>
  );
}
