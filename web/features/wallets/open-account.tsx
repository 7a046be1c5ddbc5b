import { WALLET_LABELS, type FurtherWalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { RadioChoices } from '#web/ui/radio-choices.tsx';

interface OpenAccountProps {
  /** Kinds that can be opened, at least one. */
  types: readonly FurtherWalletType[];
  onClose: () => void;
}

/** Opens another account. Open while mounted. */
export function OpenAccount({ types, onClose }: OpenAccountProps) {
  const state = useFormState<{ type: FurtherWalletType | '' }>({
    initial: { type: types[0] ?? '' },
    check: ({ type }) => ({ type: type === '' ? 'Choose an account' : undefined }),
  });
  const task = useFormTask(state, {
    send: ({ type }, options) => {
      if (type === '') throw new Error('The check lets no empty choice through');
      return call('openFurtherWallet', { body: { type } }, options);
    },
    topics: ['wallets'],
    done: ({ name }) => ({ title: 'Account Opened', message: `${name} is ready to use.` }),
    onDone: onClose,
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
