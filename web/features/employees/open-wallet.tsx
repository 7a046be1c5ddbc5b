import type { EmployeePage } from '#contract/api.ts';
import { WALLET_LABELS, type FurtherWalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { useDecision } from '#web/kit/use-decision.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

interface OpenWalletProps {
  person: EmployeePage;
  type: FurtherWalletType;
  onClose: () => void;
}

/** Asks for confirmation before opening another account for an employee. */
export function OpenWallet({ person, type, onClose }: OpenWalletProps) {
  const label = WALLET_LABELS[type];
  const open = useDecision({
    send: () => call('adminOpenWallet', { params: { id: person.id }, body: { type } }),
    topic: 'wallets',
    done: () => ({ title: 'Account Opened', message: `${label} of ${person.name}.` }),
    unchanged: 'No account was opened.',
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      title={`Open ${label}?`}
      isOpen
      kind="solid"
      keepLabel="Cancel"
      confirmLabel="Open Account"
      isPending={open.isPending}
      pendingLabel="Opening"
      onConfirm={() => open.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {person.name} gets a {label} account with its own number. It starts empty, and payroll can
        pay into it immediately.
      </p>
    </ConfirmDialog>
  );
}
