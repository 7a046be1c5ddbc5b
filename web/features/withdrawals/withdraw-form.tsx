import { type Ref, useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { decimalAmount, readAmount } from '#contract/money.ts';
import { URGENCIES } from '#contract/statuses.ts';
import { DEFAULT_URGENCY, DEFAULT_WITHDRAWAL_REASON, URGENCY_DAYS } from '#contract/withdrawals.ts';
import { useCompany } from '#web/lib/company.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { Form } from '#web/kit/form.tsx';
import { type FormState, useFormState } from '#web/kit/form-state.ts';
import { Available, WalletField } from '#web/kit/wallet-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { useMoments } from '#web/ui/time.tsx';
import {
  checkWithdrawal,
  type WithdrawalChoices,
  type WithdrawalPlace,
  type WithdrawalValues,
  WITHDRAWAL_PROBLEMS,
  withdrawalSummary,
} from './check-withdrawal.ts';
import { loadDraft, saveDraft } from './draft.ts';
import { URGENCY_LABELS } from './urgency.ts';
import { availableAfter, destinationLabel, type WithdrawalPlan } from './withdrawal-plan.ts';
import { WithdrawalSummary } from './withdrawal-summary.tsx';
import './withdraw.css';

const URGENCY_CHOICES = URGENCIES.map((value) => ({
  value,
  label: URGENCY_LABELS[value],
  consequence: URGENCY_DAYS[value].label,
}));

interface WithdrawalFormOptions extends WithdrawalChoices, WithdrawalPlace {
  userId: string;
  /** The account asked for in the address. */
  from: string | undefined;
}

/**
 * The form's state: as it was left, or with the first account and the primary bank account chosen.
 * Whatever is typed is kept for a reload.
 */
export function useWithdrawalForm(options: WithdrawalFormOptions): FormState<WithdrawalValues> {
  const { userId, from, wallets, banks, isDialog } = options;
  const state = useFormState<WithdrawalValues>({
    initial: initialValues(loadDraft(userId), { from, wallets, banks }),
    check: (values) => checkWithdrawal(values, { wallets, banks, isDialog }),
  });
  const values = useWatch({ control: state.form.control, compute: (all: WithdrawalValues) => all });
  useEffect(() => saveDraft(userId, values), [userId, values]);
  return state;
}

function initialValues(
  draft: Partial<WithdrawalValues>,
  { from, wallets, banks }: Omit<WithdrawalFormOptions, 'userId' | 'isDialog'>,
): WithdrawalValues {
  const known = (list: readonly { id: string }[], ...ids: (string | undefined)[]) =>
    ids.find((wanted) => list.some(({ id }) => id === wanted)) ?? list[0]?.id ?? '';
  return {
    walletId: known(wallets, from, draft.walletId),
    amount: draft.amount ?? '',
    bankAccountId: known(banks, draft.bankAccountId),
    urgency: draft.urgency ?? DEFAULT_URGENCY,
    reason: draft.reason ?? '',
  };
}

interface WithdrawFormProps extends WithdrawalChoices {
  state: FormState<WithdrawalValues>;
  /** The button that leads to the review. */
  submitRef: Ref<HTMLButtonElement>;
  /** Reason why nothing can be withdrawn now. */
  why: string | undefined;
  onAddBank: () => void;
  onReview: (plan: WithdrawalPlan) => void;
}

/** Account, amount and destination. Nothing moves before the review. */
export function WithdrawForm(props: WithdrawFormProps) {
  const { state, wallets, banks, submitRef, why, onAddBank, onReview } = props;
  const company = useCompany();
  const values = state.form.watch();
  const wallet = wallets.find(({ id }) => id === values.walletId);
  const bank = banks.find(({ id }) => id === values.bankAccountId);
  const coolingOff = bank === undefined ? null : stillCoolingOff(bank);

  const writeMoment = useMoments();
  let bankHint = 'Only verified banks are listed.';
  if (banks.length === 0) bankHint = WITHDRAWAL_PROBLEMS.noBanks;
  else if (coolingOff !== null) {
    bankHint = `This account can be paid from ${writeMoment(coolingOff, 'dateTime')}.`;
  }

  function review(checked: WithdrawalValues): void {
    const minor = readAmount(checked.amount, wallet?.available.currency);
    if (why !== undefined || wallet === undefined || bank === undefined || minor === null) return;
    onReview({
      wallet,
      bank,
      amount: { minor: minor.toString(), currency: wallet.available.currency },
      availableAfter: availableAfter(wallet, minor),
      urgency: checked.urgency,
      reason: checked.reason.trim(),
    });
  }

  return (
    <Form
      state={state}
      task={{ submit: review, isPending: false }}
      label="Withdraw Funds"
      summary={withdrawalSummary(state.problems)}
    >
      {({ walletId, amount, bankAccountId, urgency, reason }) => (
        <>
          <WalletField
            label="From Account"
            isRequired
            aside={wallet !== undefined && <Available amount={wallet.available} />}
            wallets={wallets}
            {...walletId}
          />
          <MoneyField
            label="Withdrawal Amount"
            currency={wallet?.available.currency ?? company.currency}
            isRequired
            action={
              wallet !== undefined && (
                <Button
                  kind="quiet"
                  onPress={() => amount.onChange(decimalAmount(BigInt(wallet.available.minor)))}
                >
                  Use full balance
                </Button>
              )
            }
            {...amount}
          />
          <Select
            label="Destination Bank"
            isRequired
            aside={<TextButton onPress={onAddBank}>Add New Bank</TextButton>}
            hint={bankHint}
            placeholder={
              banks.length === 0 ? 'No verified bank accounts available' : 'Choose a bank'
            }
            options={banks.map((each) => ({ value: each.id, label: destinationLabel(each) }))}
            {...bankAccountId}
          />
          <RadioChoices label="Urgency Level" choices={URGENCY_CHOICES} {...urgency} />
          <TextArea
            label="Reason"
            optional
            rows={2}
            maxLength={REASON_MAX_LENGTH}
            placeholder={DEFAULT_WITHDRAWAL_REASON}
            {...reason}
          />
          {/* It names a day on which the money arrives. */}
          {why === undefined && (
            <WithdrawalSummary
              wallet={wallet}
              bank={bank}
              amountMinor={readAmount(values.amount, wallet?.available.currency)}
              urgency={values.urgency}
            />
          )}
          <div className="withdraw__submit">
            <Button
              kind="money"
              type="submit"
              why={
                why ?? (banks.length === 0 ? 'A verified bank account is needed first.' : undefined)
              }
              ref={submitRef}
            >
              Review Withdrawal
            </Button>
            {why === undefined && banks.length > 0 && (
              <span className="meta">No money moves until you confirm.</span>
            )}
          </div>
        </>
      )}
    </Form>
  );
}
