import { toast } from '#web/ui/toast-queue.ts';
import { BankAccountDialog } from './bank-account-dialog.tsx';
import { bankLabel } from './bank-label.ts';

interface EnterBankAccountProps {
  person: { id: string; name: string };
  onClose: () => void;
}

/** Enters a bank account for a person who left; another admin has to verify it. */
export function EnterBankAccount({ person, onClose }: EnterBankAccountProps) {
  return (
    <BankAccountDialog
      title={`Enter a bank account of ${person.name}`}
      enteredFor={person}
      onClose={onClose}
      onSaved={(account) =>
        toast({
          title: 'Bank Account Entered',
          message: `${bankLabel(account)} waits for another administrator.`,
          tone: 'positive',
        })
      }
    />
  );
}
