import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { usePaidFrom } from '#web/kit/paid-from.ts';
import { PayoutNotices, payoutFacts } from '#web/kit/payout-facts.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { leftBankFacts } from '#web/kit/left-bank-facts.tsx';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { personLabel } from '#web/lib/person-label.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { Time } from '#web/ui/time.tsx';
import { DECISIONS, allDecisions, isToPay } from './decisions.ts';
import type { Deciding } from './withdrawal-decision.tsx';
import { URGENCY_LABELS } from './urgency.ts';
import { withdrawalRail } from './withdrawal-rail.ts';

interface WithdrawalDetailsProps {
  id: string;
  onClose: () => void;
  /** Opens the whole account number that it is paid to. */
  onShowDetails: () => void;
  onDecide: (deciding: Deciding) => void;
}

/** One withdrawal in full: its facts, how far it is, and everything that can be decided now. */
export function WithdrawalDetails({
  id,
  onClose,
  onShowDetails,
  onDecide,
}: WithdrawalDetailsProps) {
  const query = useQuery(apiQuery('adminGetWithdrawal', { params: { id } }));
  const withdrawal = query.data;
  const paidFrom = usePaidFrom(withdrawal === undefined ? [] : [withdrawal]);
  return (
    <Dialog
      title="Withdrawal details"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Close</Button>
          {withdrawal !== undefined &&
            allDecisions(withdrawal).map((decision) => (
              <Button
                key={decision}
                kind={DECISIONS[decision].kind}
                why={decision === 'startProcessing' ? paidFrom(withdrawal) : undefined}
                onPress={() => onDecide({ decision, withdrawal })}
              >
                {DECISIONS[decision].label}
              </Button>
            ))}
        </>
      }
    >
      {query.isPending && <Skeleton lines={8} label="Loading the withdrawal" />}
      {query.isError && <QueryError query={query} title="Error Loading Withdrawal" />}
      {withdrawal !== undefined && (
        <>
          <Facts isTight facts={factsOf(withdrawal, onShowDetails)} />
          <PayoutNotices context={withdrawal.context} />
          <div className="mt-6">
            <DatedRail label="Withdrawal progress" steps={withdrawalRail(withdrawal)} />
          </div>
        </>
      )}
    </Dialog>
  );
}

function factsOf(withdrawal: RouteReply<'adminGetWithdrawal'>, onShowDetails: () => void): Fact[] {
  const { amount, employee } = withdrawal;
  const facts: Fact[] = [
    { label: 'Request ID', value: withdrawal.reference },
    {
      label: 'Employee',
      value: <TextLink href={`/admin/employees/${employee.id}`}>{personLabel(employee)}</TextLink>,
    },
    {
      label: 'Amount',
      value: (
        <span className="strong">
          <Money amount={amount} />
        </span>
      ),
    },
    { label: 'Status', value: <Status status={withdrawal.status} /> },
    { label: 'From', value: `${withdrawal.walletName} ••${withdrawal.walletLast4}` },
    {
      label: 'To',
      value: (
        <>
          {`${withdrawal.bankName} ••${withdrawal.bankLast4} `}
          {isToPay(withdrawal) && (
            <TextButton onPress={onShowDetails}>Show bank details</TextButton>
          )}
        </>
      ),
    },
    { label: 'Urgency', value: URGENCY_LABELS[withdrawal.urgency] },
    { label: 'Submitted', value: <Time at={withdrawal.submittedAt} as="dateTime" /> },
    { label: 'Reason', value: withdrawal.reason },
  ];
  const isOnItsWay = withdrawal.expected !== null;
  facts.push(...payoutFacts(withdrawal.context, isOnItsWay ? stillCoolingOff(withdrawal) : null));
  if (withdrawal.rejectionReason !== null) {
    facts.push({ label: 'Decision', value: withdrawal.rejectionReason });
  }
  if (withdrawal.transactionReference !== null) {
    facts.push({ label: 'Transaction', value: withdrawal.transactionReference });
  }
  facts.push(...leftBankFacts(withdrawal));
  facts.push({
    label: 'Audit',
    value: <AuditLink thing="withdrawals" subject={withdrawal.id} />,
  });
  return facts;
}
