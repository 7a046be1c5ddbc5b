import { useQuery } from '@tanstack/react-query';
import type { KycApplication } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { notesOf } from '#web/features/kyc/history.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { Section } from '#web/ui/section.tsx';
import { Time } from '#web/ui/time.tsx';
import './identity.css';

/**
 * Name and address as administrators corrected them, newest first, each with its old and new value.
 * Nothing where nobody did.
 *
 * @param history of the person's application; empty where they have none
 */
export function Corrections({ history }: { history: KycApplication['history'] }) {
  const names = useQuery(apiQuery('listMyNameCorrections', {}));
  const entries = [
    ...(names.data?.items ?? []).map(({ id, before, after, reason, at }) => ({
      id,
      what: 'Name corrected',
      words: `${before} → ${after}\n${reason}`,
      at,
    })),
    ...history
      .filter(({ action }) => action === 'address_corrected')
      .map((event) => ({
        id: event.at,
        what: 'Address corrected',
        words: notesOf(event) ?? '',
        at: event.at,
      })),
  ].toSorted((one, other) => other.at.localeCompare(one.at));
  const error = names.isError && <QueryError query={names} what="the corrections" />;
  if (entries.length === 0) return error;
  return (
    <Section title="Corrections">
      {error}
      <ul className="corrections" aria-label="Corrections">
        {entries.map(({ id, what, words, at }) => (
          <li key={id}>
            <p className="strong">{what}</p>
            <p className="meta">
              By an administrator, <Time at={at} as="dateTime" />
            </p>
            <p className="corrections__words">{words}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
