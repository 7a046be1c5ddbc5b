import { useState } from 'react';
import type { PayrollDraft } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { WALLET_LABELS, WALLET_TYPES, type WalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Menu } from '#web/ui/menu.tsx';

interface DraftWalletsProps {
  draft: PayrollDraft;
  /** Saves what was typed. @returns false if it was not saved */
  onSave: () => Promise<boolean>;
  /** Opens another part of the payroll. */
  onOpen: (draftId: string) => void;
}

/** Adds another type of wallet to a payroll, or takes the one on screen off. */
export function DraftWallets({ draft, onSave, onOpen }: DraftWalletsProps) {
  const { id, partOf, walletType, wallets, total } = draft;
  const [isRemoving, setRemoving] = useState(false);
  const add = useAction({
    send: async (type: WalletType, options) => {
      await onSave();
      return call(
        'adminAddPayrollDraftWallet',
        { params: { id }, body: { walletType: type } },
        options,
      );
    },
    topics: ['payroll'],
    failed: 'Wallet type not added',
    onDone: (part) => onOpen(part.id),
  });
  const remove = useAction({
    send: (_: void, options) => call('adminDiscardPayrollDraft', { params: { id } }, options),
    topics: ['payroll'],
    failed: 'Wallet type not removed',
    onDone: () => onOpen(partOf ?? id),
  });
  const left = WALLET_TYPES.filter((type) => wallets.every((wallet) => wallet.walletType !== type));
  return (
    <div className="draft-wallets">
      {left.length > 0 && (
        <Menu
          label="Add a wallet type"
          trigger={
            <Button shape="text" isPending={add.isPending} pendingLabel="Adding">
              Add a Wallet Type
            </Button>
          }
          actions={left.map((type) => ({
            id: type,
            label: WALLET_LABELS[type],
            onPress: () => add.mutate(type),
          }))}
        />
      )}
      {partOf !== null && (
        <Button shape="text" onPress={() => setRemoving(true)}>
          Remove This Wallet Type
        </Button>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={`Remove ${WALLET_LABELS[walletType]}?`}
          kind="danger"
          keepLabel="Keep"
          confirmLabel="Remove"
          onClose={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false);
            remove.mutate();
          }}
        >
          {`Its ${formatMoney(total)} are no longer in this payroll. The other wallet types stay.`}
        </ConfirmDialog>
      )}
    </div>
  );
}
