import type { FundingAccounts, Wallet } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { FUNDING_TYPES, FUNDING_TYPE_IDS, type FundingType } from '#contract/funding.ts';
import { formatMoney, money, type Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import type { FormState } from '#web/kit/form-state.ts';
import { WalletField } from '#web/kit/wallet-field.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Money } from '#web/ui/money.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { fundingSummary, suggestionOf, type FundingValues, type PaidLine } from './funding-form.ts';
import { useVerifiedAdmin } from './use-verified-admin.ts';
import './funding.css';

interface SelectStepProps {
  employee: FundingAccounts['employee'];
  wallets: readonly Wallet[];
  /** The failed line that is paid differently, whose amount is not changed. */
  pays: PaidLine | undefined;
  state: FormState<FundingValues>;
  onPreview: (values: FundingValues) => void;
  onClose: () => void;
}

/** Type, wallet and amount of a funding. Nothing is paid before the next step. */
export function SelectStep({
  employee,
  wallets,
  pays,
  state,
  onPreview,
  onClose,
}: SelectStepProps) {
  const { currency } = useCompany();
  const admin = useVerifiedAdmin();
  const { walletId: chosen } = state.fields;
  const wallet = wallets.find(({ id }) => id === chosen.value);
  return (
    <FormDialog
      title={pays === undefined ? 'Fund Employee' : 'Pay Differently'}
      state={state}
      task={{
        submit: (values) => admin.verify(() => onPreview(values)),
        isPending: admin.isVerifying,
      }}
      summary={fundingSummary(state.problems)}
      submit={{
        label: 'Preview',
        pending: 'Checking',
        why: admin.problem === undefined ? previewProblem(wallets, state.fields) : 'See above.',
      }}
      onClose={onClose}
    >
      {({ type, walletId, amount, description }) => (
        <>
          {admin.problem !== undefined && (
            <Notice tone="critical" role="alert">
              {admin.problem}{' '}
              <TextButton onPress={() => admin.verify(() => {})}>Try again</TextButton>
            </Notice>
          )}
          <div className="funding__who">
            <p className="strong">{employee.name}</p>
            <p className="muted">
              {[employee.employeeId, DEPARTMENTS[employee.department]].filter(Boolean).join(', ')}
            </p>
          </div>
          {pays === undefined ? (
            <RadioChoices<FundingType>
              label="Funding type"
              isRequired
              choices={FUNDING_TYPE_IDS.map((value) => ({
                value,
                label: FUNDING_TYPES[value].label,
                consequence: <Suggestion type={value} currency={currency} />,
              }))}
              {...type}
              onChange={(next) => {
                const suggestion = suggestionOf(next, wallets);
                type.onChange(next);
                walletId.onChange(suggestion.walletId);
                amount.onChange(suggestion.amount);
              }}
            />
          ) : (
            <Notice tone="caution">
              Pays <Money amount={pays.amount} /> in place of the failed payment, which is then
              never tried again.
            </Notice>
          )}
          <WalletField
            label="Wallet"
            isRequired
            placeholder={wallets.length === 0 ? 'No open account' : 'Choose a wallet'}
            aside={
              wallet !== undefined && (
                <span className="muted num">
                  <Money amount={wallet.available} /> available
                </span>
              )
            }
            wallets={wallets}
            {...walletId}
          />
          {pays === undefined && (
            <MoneyField label="Amount" isRequired currency={currency} {...amount} />
          )}
          <TextField
            label="Description"
            optional
            hint="Shown to the employee with the transaction."
            {...description}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Reason the preview is not available yet. */
function previewProblem(
  wallets: readonly Wallet[],
  { walletId, amount }: FormState<FundingValues>['fields'],
): string | undefined {
  if (wallets.length === 0) return 'This employee has no open account.';
  if (walletId.value === '' || amount.value.trim() === '') return 'Select a wallet and an amount.';
  return undefined;
}

function Suggestion({ type, currency }: { type: FundingType; currency: Currency }) {
  const { suggestedMinor, walletType } = FUNDING_TYPES[type];
  return (
    <span className="funding__kind">
      <span>{walletType === null ? 'Any wallet' : WALLET_LABELS[walletType]}</span>
      <span>
        {suggestedMinor === null ? 'Any amount' : formatMoney(money(suggestedMinor, currency))}
      </span>
    </span>
  );
}
