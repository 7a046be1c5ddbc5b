import { useQueryClient } from '@tanstack/react-query';
import { WALLET_LABELS, type FurtherWalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { toast } from '#web/ui/toast-queue.ts';

interface OpenAccountProps {
  /** Kinds that can be opened, at least one. */
  types: readonly FurtherWalletType[];
  onClose: () => void;
}

/** Opens another account. Open while mounted. */
export function OpenAccount({ types, onClose }: OpenAccountProps) {
  const queryClient = useQueryClient();
  const state = useFormState<{ type: FurtherWalletType | '' }>({
    initial: { type: types[0] ?? '' },
    check: ({ type }) => (type === '' ? { type: 'Choose an account' } : {}),
  });
  const task = useFormTask(state, {
    send: ({ type }, options) => {
      if (type === '') throw new Error('The check lets no empty choice through');
      return call('openFurtherWallet', { body: { type } }, options);
    },
    onDone: ({ name }) => {
      markStale(queryClient, 'wallets');
      toast({ title: 'Account Opened', message: `${name} is ready to use.`, tone: 'positive' });
      onClose();
    },
    places: { wallet_exists: 'type', wallet_closed: 'type' },
  });
  return (
    <FormDialog
      title="Open an account"
      state={state}
      task={task}
      submit={{ label: 'Open Account', pending: 'Opening' }}
      onClose={onClose}
    >
      {({ type }) => (
        <RadioChoices<FurtherWalletType>
          label="Which account?"
          hint="It has its own number and starts empty."
          {...type}
          choices={types.map((value) => ({ value, label: WALLET_LABELS[value] }))}
        />
      )}
    </FormDialog>
  );
}
