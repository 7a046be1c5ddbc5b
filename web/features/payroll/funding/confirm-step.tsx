import { useState } from 'react';
import type { FundingAccounts } from '#contract/api.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import { formatMoney } from '#contract/money.ts';
import { ReviewDialog, type Review } from '#web/kit/reviewed-form.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Money } from '#web/ui/money.tsx';
import { CONFIRM_PAID_AGAIN, PaidAgain, PaidNote } from '../paid-again.tsx';
import type { FundingPlan } from './funding-form.ts';
import './funding.css';

interface ConfirmStepProps {
  accounts: FundingAccounts;
  plan: FundingPlan;
  review: Review;
}

/** Summary of a funding before it is paid. */
export function ConfirmStep(props: ConfirmStepProps) {
  const { accounts, plan, review } = props;
  const { employee, paid, approvalFrom } = accounts;
  const { type, wallet, amount, availableAfter, description } = plan;
  const { name: companyName } = useCompany();
  // It counts for the payments that were shown.
  const [again, setAgain] = useState<string>();
  const isAgain = again === paid?.hash;
  const needsApproval = approvalFrom !== null && BigInt(amount.minor) >= BigInt(approvalFrom.minor);
  return (
    <ReviewDialog
      title="Confirm funding"
      review={review}
      confirm={`Fund ${employee.name} ${formatMoney(amount)}`}
      why={paid !== null && !isAgain ? CONFIRM_PAID_AGAIN : undefined}
      line={`${FUNDING_TYPES[type].label} to ${employee.name}`}
      amount={amount}
      facts={[
        { label: 'From', value: `${companyName}, payroll funding` },
        { label: 'To', value: `${employee.name}, ${wallet.name} ••${wallet.accountNumberLast4}` },
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
      sent={{ what: 'this funding', where: 'as the last payment of this employee' }}
    >
      {paid !== null && (
        <>
          <PaidNote paid={paid} />
          <PaidAgain
            since={paid.since}
            total={paid.total}
            count={null}
            isConfirmed={isAgain}
            onConfirm={(isYes) => setAgain(isYes ? paid.hash : undefined)}
          />
        </>
      )}
      <p className="meta">
        {needsApproval
          ? `${employee.name} gets a notification when it is paid. It can be declined until then.`
          : `${employee.name} gets a notification. A funding cannot be recalled.`}
      </p>
    </ReviewDialog>
  );
}
