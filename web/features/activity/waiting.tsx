import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { MOST_WAITING, type WaitingKind } from '#contract/waiting.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';
import './waiting.css';

type WaitingItem = RouteReply<'adminListWaiting'>['items'][number];

const WORDS = {
  securityRules: {
    name: 'Changes to accept',
    href: '/admin/settings?tab=security',
  },
  payrolls: { name: 'Payrolls to approve', href: '/admin/payroll?tab=history&status=pending' },
  fundings: { name: 'Fundings to approve', href: '/admin/payroll?tab=history&status=pending' },
  usualPayFiles: { name: 'Files of usual pay to confirm', href: '/admin/employees/usual-pay' },
  usualPay: { name: 'Usual pay to confirm', href: '/admin/employees?standing=usual_pay' },
  payoutsToApprove: { name: 'Withdrawals to approve', href: '/admin/withdrawals?status=pending' },
  payoutsToSend: { name: 'Withdrawals to send', href: '/admin/withdrawals?status=approved' },
  payoutsToComplete: {
    name: 'Withdrawals to complete',
    href: '/admin/withdrawals?status=processing',
  },
  billsToSend: { name: 'Bills to send', href: '/admin/bills?status=due' },
  billsToComplete: { name: 'Bills to complete', href: '/admin/bills?status=sent' },
  bankAccounts: { name: 'Bank accounts to verify', href: '/admin/bank-accounts' },
  deposits: { name: 'Deposits to approve', href: '/admin/deposits' },
  identities: { name: 'Identities to review', href: '/admin/kyc-review' },
  applicants: { name: 'People to accept', href: '/admin/employees?standing=applicant' },
  questions: { name: 'Questions to answer', href: '/admin/questions' },
  payoutsFrozen: {
    name: 'Frozen payouts to check',
    href: '/admin/employees?standing=frozen',
  },
} as const satisfies Record<WaitingKind, { name: string; href: string }>;

/** Items the signed-in admin may decide, and the number that needs another admin. */
export function WaitingForMe({ drawBatch }: Pick<WaitingListProps, 'drawBatch'>) {
  const waiting = useQuery(apiQuery('adminListWaiting', {}));
  return (
    <Section title="Waiting for You">
      {waiting.isPending && (
        <div className="waiting__loading">
          <Skeleton lines={2} label="Loading your tasks" />
        </div>
      )}
      {waiting.isError && <QueryError query={waiting} what="your tasks" />}
      {waiting.isSuccess && <WaitingList {...waiting.data} drawBatch={drawBatch} />}
    </Section>
  );
}

type WaitingBatch = RouteReply<'adminListWaiting'>['batches'][number];

interface WaitingListProps {
  items: readonly WaitingItem[];
  batches: readonly WaitingBatch[];
  /** Renders a waiting payroll or funding with its actions. */
  drawBatch: (batch: WaitingBatch) => ReactNode;
}

export function WaitingList({ items, batches, drawBatch }: WaitingListProps) {
  if (items.length === 0) {
    return (
      <EmptyState
        title="Nothing waits for you"
        hint="Payrolls, withdrawals, bills, bank accounts, deposits and questions appear here until they are decided or answered."
      />
    );
  }
  return (
    <ul className="waiting">
      {items.map((item) => (
        <WaitingRow key={item.kind} item={item}>
          {batches.filter((batch) => kindOf(batch) === item.kind).map(drawBatch)}
        </WaitingRow>
      ))}
    </ul>
  );
}

function kindOf({ isFunding }: WaitingBatch): WaitingKind {
  return isFunding ? 'fundings' : 'payrolls';
}

function WaitingRow({
  item: { kind, mine, others, oldestAt },
  children,
}: {
  item: WaitingItem;
  children: ReactNode;
}) {
  const { name, href } = WORDS[kind];
  return (
    <li>
      <TextLink href={href}>{name}</TextLink>
      <span className="num waiting__count">{countOf(mine)}</span>
      <span className="meta">
        {oldestAt !== null && (
          <span>
            Oldest: <Time at={oldestAt} as="shortDateTime" />
          </span>
        )}
        {oldestAt !== null && others > 0 && '. '}
        {others > 0 && (
          <span>{`${countOf(others)} ${others === 1 ? 'needs' : 'need'} another administrator`}</span>
        )}
      </span>
      {children}
    </li>
  );
}

function countOf(count: number): string {
  return count >= MOST_WAITING ? `${formatCount(MOST_WAITING)} or more` : formatCount(count);
}
