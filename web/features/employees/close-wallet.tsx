import type { EmployeePage, Wallet } from '#contract/api.ts';
import { FURTHER_WALLET_TYPES } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { useDecision } from '#web/kit/use-decision.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

interface CloseWalletProps {
  person: EmployeePage;
  wallet: Wallet;
  onClose: () => void;
}

/** Asks for confirmation before closing an employee's empty account. */
export function CloseWallet({ person, wallet, onClose }: CloseWalletProps) {
  const close = useDecision({
    send: async () => {
      const type = FURTHER_WALLET_TYPES.find((one) => one === wallet.type);
      if (type === undefined) throw new Error('The primary account stays open');
      return call('adminCloseWallet', { params: { id: person.id }, body: { type } });
    },
    topic: 'wallets',
    done: () => ({ title: 'Account Closed', message: `${wallet.name} of ${person.name}.` }),
    unchanged: 'The account is still open.',
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      title={`Close ${wallet.name}?`}
      isOpen
      kind="danger"
      keepLabel="Keep Open"
      confirmLabel="Close Account"
      isPending={close.isPending}
      pendingLabel="Closing"
      onConfirm={() => close.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {wallet.name} •••• {wallet.accountNumberLast4} of {person.name} is empty. A closed account
        takes no money. Its history is kept, and you can open it again.
      </p>
    </ConfirmDialog>
  );
}
