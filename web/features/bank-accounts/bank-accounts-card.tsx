import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { BankAccount } from '#contract/api.ts';
import { Button } from '#web/ui/button.tsx';
import { CollapsibleSheet } from '#web/ui/collapsible-sheet.tsx';
import { Items } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { AddBankAccount } from './add-bank-account.tsx';
import { BANK_ACCOUNT_ADDED } from './add-words.ts';
import { BankAccountDialog } from './bank-account-dialog.tsx';
import { BankAccountRow } from './bank-account-row.tsx';
import { bankLabel } from './bank-label.ts';
import { EnterMicroDeposits, type ProvableAccount } from './enter-micro-deposits.tsx';
import { RemoveBankAccount } from './remove-bank-account.tsx';

type Task =
  | { kind: 'add' }
  | { kind: 'edit' | 'remove'; account: BankAccount }
  | { kind: 'prove'; account: ProvableAccount };

interface BankAccountsCardProps {
  accounts: readonly BankAccount[];
}

/** The person's bank accounts, and adding, changing and removing them. */
export function BankAccountsCard({ accounts }: BankAccountsCardProps) {
  const [task, setTask] = useState<Task | null>(null);
  return (
    <CollapsibleSheet
      title={`Bank Accounts (${accounts.length})`}
      end={
        <Button onPress={() => setTask({ kind: 'add' })}>
          <Icon of={Plus} size={16} />
          Add Bank Account
        </Button>
      }
    >
      <Items
        items={accounts}
        none={{
          title: 'No bank accounts yet',
          hint: 'Add the one your withdrawals should go to. An administrator verifies it first.',
        }}
      >
        {(account) => (
          <BankAccountRow
            key={account.id}
            account={account}
            onEdit={() => setTask({ kind: 'edit', account })}
            onDelete={() => setTask({ kind: 'remove', account })}
            onProve={(provable) => setTask({ kind: 'prove', account: provable })}
          />
        )}
      </Items>
      <TaskDialog task={task} onClose={() => setTask(null)} />
    </CollapsibleSheet>
  );
}

function TaskDialog({ task, onClose }: { task: Task | null; onClose: () => void }) {
  if (task === null) return null;
  if (task.kind === 'remove') {
    return <RemoveBankAccount account={task.account} onClose={onClose} />;
  }
  if (task.kind === 'prove') {
    return <EnterMicroDeposits account={task.account} onClose={onClose} />;
  }
  if (task.kind === 'add') return <AddBankAccount {...BANK_ACCOUNT_ADDED} onClose={onClose} />;
  return (
    <BankAccountDialog
      title="Edit Bank Account"
      account={task.account}
      onClose={onClose}
      onSaved={(saved) =>
        toast({
          title: 'Bank Account Updated',
          message: `${bankLabel(saved)} is pending verification.`,
          tone: 'positive',
        })
      }
    />
  );
}
