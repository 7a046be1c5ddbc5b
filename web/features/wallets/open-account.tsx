import { WALLET_LABELS, type FurtherWalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';

interface OpenAccountProps {
  /** Kinds that can be opened, at least one. */
  types: readonly FurtherWalletType[];
  onClose: () => void;
}

/** Opens another account. Open while mounted. */
export function OpenAccount({ types, onClose }: OpenAccountProps) {
  return (
    <TaskDialog
      title="Open an account"
      initial={{ type: types[0] ?? '' }}
      check={({ type }: { type: FurtherWalletType | '' }) => ({
        type: type === '' ? 'Choose an account' : undefined,
      })}
      send={({ type }, options) => {
        if (type === '') throw new Error('The check lets no empty choice through');
        return call('openFurtherWallet', { body: { type } }, options);
      }}
      topics={['wallets']}
      done={({ name }) => ({ title: 'Account Opened', message: `${name} is ready to use.` })}
      places={{ wallet_exists: 'type', wallet_closed: 'type' }}
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
    </TaskDialog>
  );
}
