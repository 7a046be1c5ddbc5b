import { toast } from '#web/ui/toast-queue.ts';
import { BankAccountDialog } from './bank-account-dialog.tsx';
import { bankLabel } from './bank-label.ts';

interface AddBankAccountProps {
  title: string;
  /** Message once it is added: a title, and the end of the sentence about the account. */
  done: { title: string; waits: string };
  onClose: () => void;
}

/** Adds a bank account, which an admin has to verify. Shown while it is mounted. */
export function AddBankAccount({ title, done, onClose }: AddBankAccountProps) {
  return (
    <BankAccountDialog
      title={title}
      onClose={onClose}
      onSaved={(account) =>
        toast({
          title: done.title,
          message: `${bankLabel(account)} ${done.waits}`,
          tone: 'positive',
        })
      }
    />
  );
}
