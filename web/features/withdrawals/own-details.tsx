import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Withdrawal } from '#contract/api.ts';
import { WITHDRAWAL_PROGRESS } from '#contract/withdrawals.ts';
import { apiQuery } from '#web/api/query.ts';
import { leftBankFacts } from '#web/kit/left-bank-facts.tsx';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Time } from '#web/ui/time.tsx';
import { useSettledFocus } from '#web/ui/use-settled-focus.ts';
import { CancelWithdrawal } from './cancel-withdrawal.tsx';
import { urgencyWithDays } from './urgency.ts';
import { WithdrawalHead } from './withdrawal-head.tsx';
import { withdrawalRail } from './withdrawal-rail.ts';
import './withdraw.css';

interface OwnWithdrawalDetailsProps {
  id: string;
  onClose: () => void;
}

/** One of the person's own requests in full; one that is pending can be cancelled here. */
export function OwnWithdrawalDetails({ id, onClose }: OwnWithdrawalDetailsProps) {
  const query = useQuery(apiQuery('getWithdrawal', { params: { id } }));
  const [isAsking, setIsAsking] = useState(false);
  const withdrawal = query.data;
  const isCancellable = withdrawal !== undefined && isLegal(withdrawal, 'cancel');
  const close = useSettledFocus(withdrawal !== undefined && !isCancellable && !isAsking);
  return (
    <Dialog
      title="Withdrawal details"
      isOpen
      onClose={onClose}
      actions={
        <>
          {isCancellable && (
            <Button
              kind="danger"
              why={refusalOf(withdrawal, 'cancel')}
              onPress={() => setIsAsking(true)}
            >
              Cancel Request
            </Button>
          )}
          <Button ref={close} onPress={onClose}>
            Close
          </Button>
        </>
      }
    >
      <LoadedQuery query={query} what="the withdrawal" lines={9} />
      {withdrawal !== undefined && <Details withdrawal={withdrawal} />}
      {withdrawal !== undefined && isAsking && (
        <CancelWithdrawal withdrawal={withdrawal} onClose={() => setIsAsking(false)} />
      )}
    </Dialog>
  );
}

function Details({ withdrawal }: { withdrawal: Withdrawal }) {
  return (
    <div className="withdrawal">
      <WithdrawalHead
        line={`${withdrawal.walletName} to ${withdrawal.bankName} ••${withdrawal.bankLast4}`}
        amount={withdrawal.amount}
        status={withdrawal.status}
      />
      <DatedRail label="Withdrawal progress" steps={withdrawalRail(withdrawal)} />
      <div className="withdrawal__facts">
        <Facts isTight facts={factsOf(withdrawal)} />
      </div>
    </div>
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
    facts.push({ label: 'Rejection reason', value: withdrawal.rejectionReason });
  }
  if (withdrawal.transactionReference !== null) {
    facts.push({ label: 'Transaction ID', value: withdrawal.transactionReference });
  } else if (withdrawal.expected !== null) {
    facts.push({
      label: 'Transaction ID',
      value: <span className="faint">Assigned when the withdrawal is paid</span>,
    });
  }
  return [...facts, ...leftBankFacts(withdrawal)];
}
