import type { Withdrawal } from '#contract/api.ts';
import { formatMoney, negated } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { useQuery } from '@tanstack/react-query';
import { WITHDRAWAL_PROGRESS } from '#contract/withdrawals.ts';
import { apiQuery } from '#web/api/query.ts';
import { attemptFacts } from '#web/kit/attempt-facts.tsx';
import { leftBankFacts } from '#web/kit/left-bank-facts.tsx';
import { OwnRequest } from '#web/kit/own-request.tsx';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { ResendWithdrawal } from './resend-withdrawal.tsx';
import { urgencyWithDays } from './urgency.ts';
import { withdrawalRail } from './withdrawal-rail.ts';
import { withdrawalLine } from './withdrawal-steps.tsx';

interface OwnWithdrawalDetailsProps {
  id: string;
  onClose: () => void;
}

/** One of the person's own withdrawals in full. */
export function OwnWithdrawalDetails({ id, onClose }: OwnWithdrawalDetailsProps) {
  const query = useQuery(apiQuery('getWithdrawal', { params: { id } }));
  return (
    <OwnRequest
      title="Withdrawal details"
      what="the withdrawal"
      query={query}
      onClose={onClose}
      cancel={(withdrawal, onCancelled) => (
        <CancelWithdrawal withdrawal={withdrawal} onClose={onCancelled} />
      )}
      next={{
        act: 'resend',
        label: 'Correct and Send Again',
        dialog: (withdrawal, onSent) => (
          <ResendWithdrawal withdrawal={withdrawal} onClose={onSent} />
        ),
      }}
    >
      {(withdrawal) => (
        <div className="dialog__parts">
          <AmountHead
            line={withdrawalLine(withdrawal)}
            amount={negated(withdrawal.amount)}
            status={<Status status={withdrawal.status} />}
          />
          <DatedRail label="Withdrawal progress" steps={withdrawalRail(withdrawal)} />
          <Facts isTight facts={factsOf(withdrawal)} />
        </div>
      )}
    </OwnRequest>
  );
}

function factsOf(withdrawal: Withdrawal): Fact[] {
  const facts: Fact[] = [
    { label: 'Request ID', value: withdrawal.reference },
    { label: 'Progress', value: `${WITHDRAWAL_PROGRESS[withdrawal.status]}%` },
    { label: 'Bank', value: `${withdrawal.bankName} ••${withdrawal.bankLast4}` },
    { label: 'Urgency', value: urgencyWithDays(withdrawal.urgency) },
    { label: 'Submitted', value: <Time at={withdrawal.submittedAt} as="dateTime" /> },
    { label: 'Reason', value: withdrawal.reason },
  ];
  if (withdrawal.rejectionReason !== null) {
    const label = withdrawal.status === 'returned' ? 'Sent back' : 'Rejection reason';
    facts.push({ label, value: withdrawal.rejectionReason });
  }
  if (withdrawal.transactionReference !== null) {
    facts.push({ label: 'Transaction ID', value: withdrawal.transactionReference });
  } else if (withdrawal.expected !== null) {
    facts.push({
      label: 'Transaction ID',
      value: <span className="faint">Assigned when the withdrawal is paid</span>,
    });
  }
  return [
    ...facts,
    ...attemptFacts(withdrawal, (id) => `/employee/withdraw?request=${id}`),
    ...leftBankFacts(withdrawal),
  ];
}

interface CancelWithdrawalProps {
  withdrawal: Withdrawal;
  onClose: () => void;
}

/** Asks, then takes the request back. Shown while it is mounted. */
function CancelWithdrawal({ withdrawal, onClose }: CancelWithdrawalProps) {
  const { id, bankName, bankLast4, walletName } = withdrawal;
  const amount = formatMoney(withdrawal.amount);
  return (
    <ConfirmAction
      {...questionTo('Cancel', 'request', 'this withdrawal')}
      send={(_, options) => call('cancelWithdrawal', { params: { id } }, options)}
      topics={['withdrawals', 'wallets']}
      done={{
        title: 'Withdrawal Cancelled',
        message: `${amount} was not sent and your balance has been restored.`,
      }}
      failed="Unable to cancel this withdrawal request"
      sent={{ what: 'your cancellation', where: 'under Recent Withdrawals' }}
      onClose={onClose}
    >
      {amount} will not be sent to {bankName} ••{bankLast4}. It is available in your {walletName}{' '}
      again immediately.
    </ConfirmAction>
  );
}
