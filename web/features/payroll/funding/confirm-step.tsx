import { useState } from 'react';
import type { FundingAccounts } from '#contract/api.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import { formatMoney } from '#contract/money.ts';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { CONFIRM_PAID_AGAIN, PaidAgain, PaidNote } from '../paid-again.tsx';
import type { FundingPlan } from './funding-form.ts';
import './funding.css';

interface ConfirmStepProps {
  accounts: FundingAccounts;
  plan: FundingPlan;
  outcome: { isSending: boolean; isUnknown: boolean };
  onBack: () => void;
  onConfirm: () => void;
  onClose: () => void;
}

/** Summary of a funding before it is paid. */
export function ConfirmStep({
  accounts: { employee, paid, approvalFrom },
  plan,
  outcome,
  onBack,
  onConfirm,
  onClose,
}: ConfirmStepProps) {
  const { name: companyName } = useCompany();
  const [isAgain, setAgain] = useState(false);
  const { type, wallet, amount, availableAfter, description } = plan;
  const needsApproval = approvalFrom !== null && BigInt(amount.minor) >= BigInt(approvalFrom.minor);
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
            why={paid !== null && !isAgain ? CONFIRM_PAID_AGAIN : undefined}
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
            {
              label: 'Arrives',
              value: needsApproval ? 'When a second administrator has approved it' : 'Immediately',
            },
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
        {paid !== null && (
          <>
            <PaidNote paid={paid} />
            <PaidAgain
              since={paid.since}
              total={paid.total}
              count={null}
              isConfirmed={isAgain}
              onConfirm={setAgain}
            />
          </>
        )}
        <p className="meta">
          {needsApproval
            ? `${employee.name} gets a notification when it is paid. It can be declined until then.`
            : `${employee.name} gets a notification. A funding cannot be recalled.`}
        </p>
        <OutcomeNotice
          {...outcome}
          what="this funding"
          where="as the last payment of this employee"
        />
      </div>
    </Dialog>
  );
}
