import { useQuery } from '@tanstack/react-query';
import type { AdminBankAccount } from '#contract/api.ts';
import type { BankAccountStatus } from '#contract/bank-accounts.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { personLabel } from '#web/lib/person-label.ts';
import { Button } from '#web/ui/button.tsx';
import { DatedRail, type DatedStep } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Status } from '#web/ui/status.tsx';
import { isOpen } from './admin-columns.tsx';
import { accountFacts, decisionsFor, DECISIONS, type Deciding } from './admin-decision.tsx';
import { SharedAccountNotice } from './holder-check.tsx';
import { ReturnedNotice } from './returned-notice.tsx';
import { PayoutNotices, payoutFacts } from '#web/kit/payout-facts.tsx';

interface BankAccountDetailsProps {
  id: string;
  onClose: () => void;
  onDecide: (deciding: Deciding) => void;
}

/** One bank account in full: whose it is, what has to agree, what was changed and paid before. */
export function BankAccountDetails({ id, onClose, onDecide }: BankAccountDetailsProps) {
  const query = useQuery(apiQuery('adminGetBankAccount', { params: { id } }));
  const account = query.data;
  return (
    <Dialog
      title="Bank account details"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Close</Button>
          {account !== undefined &&
            isOpen(account) &&
            decisionsFor(account).map((decision) => (
              <Button
                key={decision}
                kind={DECISIONS[decision].kind}
                onPress={() => onDecide({ decision, account })}
              >
                {DECISIONS[decision].label}
              </Button>
            ))}
        </>
      }
    >
      {query.isPending && <Skeleton lines={10} label="Loading the bank account" />}
      {query.isError && <QueryError query={query} title="Error Loading Bank Account" />}
      {account !== undefined && (
        <>
          <Facts
            isTight
            facts={[
              {
                label: 'Employee',
                value: (
                  <TextLink href={`/admin/employees/${account.employee.id}`}>
                    {personLabel(account.employee)}
                  </TextLink>
                ),
              },
              { label: 'Status', value: <Status status={account.status} /> },
              ...accountFacts(account),
              ...payoutFacts(account.context, stillCoolingOff(account)),
            ]}
          />
          <SharedAccountNotice people={account.check?.alsoOf ?? []} />
          <ReturnedNotice account={account} />
          <PayoutNotices context={account.context} />
          <div className="mt-6">
            <DatedRail label="Bank account history" steps={bankAccountRail(account)} />
          </div>
        </>
      )}
    </Dialog>
  );
}

const STEPS: Record<BankAccountStatus, Pick<DatedStep, 'what' | 'state'>> = {
  pending: { what: 'Submitted', state: 'done' },
  verified: { what: 'Verified', state: 'arrived' },
  rejected: { what: 'Rejected', state: 'stop' },
  returned: { what: 'Payout sent back by the bank', state: 'stop' },
};

/** Submitted, then verified or rejected, or what is waited for. */
function bankAccountRail({ status, history }: AdminBankAccount): DatedStep[] {
  const taken = history.map((step): DatedStep => ({
    ...STEPS[step.status as BankAccountStatus],
    who: step.status === 'returned' ? `Recorded by ${step.by ?? 'Purser'}` : (step.by ?? undefined),
    note: step.note ?? undefined,
    at: step.at,
  }));
  return status === 'pending'
    ? [...taken, { state: 'now', what: 'Waiting for verification' }]
    : taken;
}
