import type { FundingAccounts } from '#contract/api.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import { formatMoney } from '#contract/money.ts';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import type { FundingPlan } from './funding-form.ts';
import './funding.css';

interface ConfirmStepProps {
  employee: FundingAccounts['employee'];
  plan: FundingPlan;
  outcome: { isSending: boolean; isUnknown: boolean };
  onBack: () => void;
  onConfirm: () => void;
  onClose: () => void;
}

/** What is about to be paid, before it is. */
export function ConfirmStep({
  employee,
  plan,
  outcome,
  onBack,
  onConfirm,
  onClose,
}: ConfirmStepProps) {
  const { name: companyName } = useCompany();
  const { type, wallet, amount, availableAfter, description } = plan;
  return (
    <Dialog
      title="Confirm funding"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={outcome.isSending ? onClose : onBack}>
            {outcome.isSending ? 'Close' : 'Back'}
          </Button>
          <Button
            kind="money"
            onPress={onConfirm}
            isPending={outcome.isSending}
            pendingLabel="Sending"
          >
            {`Fund ${employee.name} ${formatMoney(amount)}`}
          </Button>
        </>
      }
    >
      <div className="funding">
        <div className="funding__head">
          <div>
            <p className="muted">
              {FUNDING_TYPES[type].label} to {employee.name}
            </p>
            <Balance amount={amount} />
          </div>
        </div>
        <Facts
          isTight
          facts={[
            { label: 'From', value: `${companyName}, payroll funding` },
            {
              label: 'To',
              value: `${employee.name}, ${wallet.name} ••${wallet.accountNumberLast4}`,
            },
            {
              label: 'Description',
              value: description === '' ? FUNDING_TYPES[type].label : description,
            },
            { label: 'Arrives', value: 'At once, unless a second administrator has to approve it' },
            {
              label: 'Available',
              value: (
                <span className="num">
                  <span className="funding__before">
                    <Money amount={wallet.available} /> →{' '}
                  </span>
                  <Money amount={availableAfter} />
                </span>
              ),
            },
          ]}
        />
        <p className="meta">{employee.name} gets a notification. A funding cannot be recalled.</p>
        <OutcomeNotice
          {...outcome}
          what="this funding"
          where="as the last funding of this employee"
        />
      </div>
    </Dialog>
  );
}
