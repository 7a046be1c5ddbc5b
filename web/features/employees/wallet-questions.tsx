import type { EmployeePage, Wallet } from '#contract/api.ts';
import { FURTHER_WALLET_TYPES, WALLET_LABELS, type FurtherWalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction } from '#web/kit/action.tsx';

const SENT = { what: 'your change', where: 'in the list of accounts' };

interface CloseWalletProps {
  person: EmployeePage;
  wallet: Wallet;
  onClose: () => void;
}

/** Asks for confirmation before closing an employee's empty account. */
export function CloseWallet({ person, wallet, onClose }: CloseWalletProps) {
  const refusal = person.wallets.find(({ id }) => id === wallet.id)?.refusal ?? undefined;
  return (
    <ConfirmAction
      title={`Close ${wallet.name}?`}
      keep="Keep Open"
      confirm="Close Account"
      pending="Closing"
      why={refusal}
      send={async () => {
        const type = FURTHER_WALLET_TYPES.find((one) => one === wallet.type);
        if (type === undefined) throw new Error('The primary account stays open');
        return call('adminCloseWallet', { params: { id: person.id }, body: { type } });
      }}
      topics={['wallets']}
      done={{ title: 'Account Closed', message: `${wallet.name} of ${person.name}.` }}
      failed="The account is still open"
      sent={SENT}
      onClose={onClose}
    >
      {wallet.name} •••• {wallet.accountNumberLast4} of {person.name} is empty. A closed account
      takes no money. Its history is kept, and you can open it again.
    </ConfirmAction>
  );
}

interface OpenWalletProps {
  person: EmployeePage;
  type: FurtherWalletType;
  onClose: () => void;
}

/** Asks for confirmation before opening another account for an employee. */
export function OpenWallet({ person, type, onClose }: OpenWalletProps) {
  const label = WALLET_LABELS[type];
  return (
    <ConfirmAction
      title={`Open ${label}?`}
      keep="Cancel"
      confirm="Open Account"
      pending="Opening"
      kind="solid"
      send={() => call('adminOpenWallet', { params: { id: person.id }, body: { type } })}
      topics={['wallets']}
      done={{ title: 'Account Opened', message: `${label} of ${person.name}.` }}
      failed="No account was opened"
      sent={SENT}
      onClose={onClose}
    >
      {person.name} gets a {label} account with its own number. It starts empty, and payroll can pay
      into it immediately.
    </ConfirmAction>
  );
}
