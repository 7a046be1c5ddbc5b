import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { formatDay } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { shareLabel, targetLabel } from './rules.ts';
import './transfers-list.css';

/** The automatic transfers of all accounts, with the way to change them. */
export function DashboardTransfers() {
  const query = useQuery(apiQuery('getAutomaticTransfers', {}));
  if (query.data === undefined || query.data.wallets.length === 0) return null;
  const { wallets, nextRunOn } = query.data;
  const rules = wallets.flatMap((wallet) =>
    wallet.rules.map((rule) => ({ ...rule, key: `${wallet.walletId} ${rule.position}` })),
  );
  const isPaused = wallets.every(
    ({ rules: own, pausedAt }) => own.length === 0 || pausedAt !== null,
  );
  return (
    <Section
      title="Automatic Transfers"
      isRuled
      end={
        <TextLink href="/employee/automatic">{rules.length === 0 ? 'Set Up' : 'Change'}</TextLink>
      }
    >
      {rules.length === 0 ? (
        <p className="muted transfers-list__note">
          Save a part of every payroll, or send what you do not need to your bank.
        </p>
      ) : (
        <>
          <ul className="transfers-list">
            {rules.map((rule) => (
              <li key={rule.key}>
                <span>{targetLabel(rule.to)}</span>
                <span className="num">{shareLabel(rule)}</span>
              </li>
            ))}
          </ul>
          <p className="meta transfers-list__note">
            {isPaused && 'Paused'}
            {!isPaused &&
              nextRunOn !== null &&
              `Next run: ${formatDay(nextRunOn, 'weekday')}, after your payroll`}
          </p>
        </>
      )}
    </Section>
  );
}
