import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import type { RiskKind } from '#contract/waiting.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { Time } from '#web/ui/time.tsx';
import './waiting.css';

type Risk = RouteReply<'adminListRisks'>['items'][number];

/** Parts of the dashboard that a risk can open. */
type Shown = 'health' | 'failed';

interface RiskWords {
  name: (count: number) => string;
  why: string;
  /** Place where the risk is fixed: an address, or a dialog of the dashboard. */
  fix: { label: string; href: string } | { label: string; shows: Shown };
}

const CHECKS = { label: 'Show checks', shows: 'health' } as const;

const WORDS: Record<RiskKind, RiskWords> = {
  booksUnsound: {
    name: () => 'The books are not sound',
    why: 'A verification found a problem.',
    fix: { label: 'Show what was found', shows: 'health' },
  },
  unsealedTail: {
    name: () => 'The newest entries are not sealed',
    why: 'Until they are sealed, a change made directly in the database cannot be detected.',
    fix: CHECKS,
  },
  backupsFailing: {
    name: () => 'The database’s log does not reach its archive',
    why: 'A backup cannot be restored to the present moment. The operator of your database can fix this.',
    fix: CHECKS,
  },
  restoreNotTried: {
    name: () => 'No backup was tried for three months',
    why: 'Nobody knows that the books can be restored. The operator of your server tries a backup with one command.',
    fix: CHECKS,
  },
  failedDeliveries: {
    name: (count) => `${formatCount(count)} failed ${count === 1 ? 'delivery' : 'deliveries'}`,
    why: 'Mails, live updates or payroll starts that Purser no longer retries by itself.',
    fix: { label: 'Show deliveries', shows: 'failed' },
  },
  depositsNotAtBank: {
    name: (count) =>
      count === 1
        ? 'One approved deposit is on no bank statement'
        : `${formatCount(count)} approved deposits are on no bank statement`,
    why: 'Their money is in wallets, and no line of the bank is matched with them.',
    fix: { label: 'Show the bank', href: '/admin/company-bank' },
  },
  oneAdmin: {
    name: () => 'There is one administrator',
    why: 'Nobody can take over, and approvals by two people are not possible.',
    fix: { label: 'Invite another', href: '/admin/settings?tab=security' },
  },
  dutiesTogether: {
    name: (count) =>
      count === 1
        ? 'One duty may be done by one person alone'
        : `${formatCount(count)} duties may be done by one person alone`,
    why: 'The person who starts a payroll or verifies a bank account can also send the money.',
    fix: { label: 'Separate duties', href: '/admin/settings?tab=security' },
  },
  dutiesNotInForce: {
    name: (count) =>
      count === 1
        ? 'An approval by two people has too few people'
        : `${formatCount(count)} approvals by two people have too few people`,
    why: 'It is not in force yet, or some step can be done by nobody. The settings say who is missing and from when.',
    fix: { label: 'Show approvals', href: '/admin/settings?tab=security' },
  },
  adminsWithoutTwoFactor: {
    name: (count) =>
      `${formatCount(count)} ${count === 1 ? 'administrator' : 'administrators'} without two-factor`,
    why: 'The back office is open to anyone with an administrator’s password.',
    fix: { label: 'Show administrators', href: '/admin/settings?tab=security' },
  },
};

/** Risks to fix before they cost money, each with a link to the place where that is done. */
export function Risks({ onShow }: { onShow: (what: Shown) => void }) {
  const risks = useQuery(apiQuery('adminListRisks', {}));
  return (
    <Section title="Open Risks">
      {risks.isPending && (
        <div className="risks__loading">
          <Skeleton lines={2} label="Loading open risks" />
        </div>
      )}
      {risks.isError && <QueryError query={risks} what="open risks" />}
      {risks.isSuccess && <RiskList items={risks.data.items} onShow={onShow} />}
    </Section>
  );
}

export function RiskList({
  items,
  onShow,
}: {
  items: readonly Risk[];
  onShow: (what: Shown) => void;
}) {
  if (items.length === 0) {
    return (
      <EmptyState title="No open risks" hint="Sign-in, sealing and deliveries are in order." />
    );
  }
  return (
    <ul className="waiting">
      {items.map(({ kind, count, since }) => {
        const { name, why, fix } = WORDS[kind];
        return (
          <li key={kind}>
            <span className="strong">{name(count)}</span>
            {'href' in fix ? (
              <TextLink href={fix.href}>{fix.label}</TextLink>
            ) : (
              <TextButton onPress={() => onShow(fix.shows)}>{fix.label}</TextButton>
            )}
            <span className="meta">
              {why}
              {since !== null && (
                <>
                  {' Since '}
                  <Time at={since} as="shortDateTime" />.
                </>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
