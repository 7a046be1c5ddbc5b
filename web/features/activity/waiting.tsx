import { useQuery } from '@tanstack/react-query';
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
    name: 'Changes of settings to accept',
    href: '/admin/settings?tab=security',
  },
  payrolls: { name: 'Payrolls to approve', href: '/admin/payroll' },
  fundings: { name: 'Fundings to approve', href: '/admin/payroll' },
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
  payoutsFrozen: {
    name: 'Frozen payouts to look at',
    href: '/admin/employees?standing=frozen',
  },
} as const satisfies Record<WaitingKind, { name: string; href: string }>;

/** What the admin who is signed in may decide, and how much takes another one. */
export function WaitingForMe() {
  const waiting = useQuery(apiQuery('adminListWaiting', {}));
  return (
    <Section title="Waiting for You">
      <div className="waiting__box">
        {waiting.isPending && (
          <div className="waiting__loading">
            <Skeleton lines={2} label="Loading what waits for you" />
          </div>
        )}
        {waiting.isError && <QueryError query={waiting} title="Error Loading What Waits" />}
        {waiting.isSuccess && <WaitingList items={waiting.data.items} />}
      </div>
    </Section>
  );
}

export function WaitingList({ items }: { items: readonly WaitingItem[] }) {
  if (items.length === 0) {
    return (
      <EmptyState
        title="Nothing waits for you"
        hint="Payrolls, withdrawals, bills, bank accounts and deposits show here until they are decided."
      />
    );
  }
  return (
    <ul className="waiting">
      {items.map((item) => (
        <WaitingRow key={item.kind} item={item} />
      ))}
    </ul>
  );
}

function WaitingRow({ item: { kind, mine, others, oldestAt } }: { item: WaitingItem }) {
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
        {others > 0 && (
          <span>{`${countOf(others)} ${others === 1 ? 'needs' : 'need'} another administrator`}</span>
        )}
      </span>
    </li>
  );
}

function countOf(count: number): string {
  return count >= MOST_WAITING ? `${formatCount(MOST_WAITING)} or more` : formatCount(count);
}
