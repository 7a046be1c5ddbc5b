import type { FundingAccounts, Wallet } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { FUNDING_TYPES, FUNDING_TYPE_IDS, type FundingType } from '#contract/funding.ts';
import { formatMoney, money, type Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { FormState } from '#web/kit/form-state.ts';
import { WalletField } from '#web/kit/wallet-field.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { useLeaveQuestion } from '#web/ui/leave-question.tsx';
import { Money } from '#web/ui/money.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { fundingSummary, suggestionOf, type FundingValues } from './funding-form.ts';
import { useVerifiedAdmin } from './use-verified-admin.ts';
import './funding.css';

interface SelectStepProps {
  employee: FundingAccounts['employee'];
  wallets: readonly Wallet[];
  state: FormState<FundingValues>;
  onPreview: (values: FundingValues) => void;
  onClose: () => void;
}

/** Type, wallet and amount of a funding. Nothing is paid before the next step. */
export function SelectStep({ employee, wallets, state, onPreview, onClose }: SelectStepProps) {
  const { form, fields, problems, attempt } = state;
  const { currency } = useCompany();
  const admin = useVerifiedAdmin();
  const { onLeave, question } = useLeaveQuestion({ hasWork: form.formState.isDirty, onClose });
  const { type, walletId, amount, description } = fields;
  const wallet = wallets.find(({ id }) => id === walletId.value);

  const why = admin.problem === undefined ? previewProblem(wallets, fields) : 'See above.';

  function chooseType(chosen: FundingType): void {
    const suggestion = suggestionOf(chosen, wallets);
    type.onChange(chosen);
    walletId.onChange(suggestion.walletId);
    amount.onChange(suggestion.amount);
  }

  return (
    <>
      <Dialog
        title="Fund Employee"
        isOpen
        onClose={onLeave}
        onSubmit={() => {
          if (why !== undefined || admin.isVerifying) return;
          void form.handleSubmit((values) => admin.verify(() => onPreview(values)))();
        }}
        actions={
          <>
            <Button onPress={onLeave}>Cancel</Button>
            <Button
              kind="solid"
              type="submit"
              why={why}
              isPending={admin.isVerifying}
              pendingLabel="Checking"
            >
              Preview
            </Button>
          </>
        }
      >
        <div className="form">
          {admin.problem !== undefined && (
            <Notice tone="critical" role="alert">
              {admin.problem}{' '}
              <TextButton onPress={() => admin.verify(() => {})}>Try again</TextButton>
            </Notice>
          )}
          <FormSummary title={fundingSummary(problems)} problems={problems} attempt={attempt} />
          <div className="funding__who">
            <p className="strong">{employee.name}</p>
            <p className="muted">
              {[employee.employeeId, DEPARTMENTS[employee.department]].filter(Boolean).join(', ')}
            </p>
          </div>
          <RadioChoices
            label="Funding type"
            isRequired
            choices={FUNDING_TYPE_IDS.map((value) => ({
              value,
              label: FUNDING_TYPES[value].label,
              consequence: <Suggestion type={value} currency={currency} />,
            }))}
            {...type}
            onChange={chooseType}
          />
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
          <MoneyField label="Amount" isRequired currency={currency} {...amount} />
          <TextField
            label="Description"
            optional
            hint="Shown to the employee with the transaction."
            {...description}
          />
        </div>
      </Dialog>
      {question}
    </>
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
