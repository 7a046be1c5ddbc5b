import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { apiQuery } from '#web/api/query.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type Opening = RouteReply<'listMyOpenings'>['items'][number];

const OPENED: Record<Opening['what'], string> = {
  ...KYC_DOCUMENT_LABELS,
  application: 'Application',
  verification: 'Verification documents',
  bank_account: 'Bank account number',
};

/** Which administrator opened what of the person's, and when. */
export function Openings({ timeZone }: { timeZone: string }) {
  const openings = useQuery(apiQuery('listMyOpenings', { query: { limit: 20 } }));
  return (
    <Section title="Who opened your information">
      {openings.isPending && <Skeleton label="Loading who opened your information" />}
      {openings.isError && (
        <ErrorState
          title="This list could not be loaded"
          onRetry={() => void openings.refetch()}
          isRetrying={openings.isFetching}
        />
      )}
      {openings.data?.items.length === 0 && (
        <EmptyState
          title="Nobody has opened anything"
          hint="Whenever an administrator looks at your application or documents, it is listed here."
        />
      )}
      {openings.data !== undefined && openings.data.items.length > 0 && (
        <ul className="openings">
          {openings.data.items.map(({ what, by, at }) => (
            <li key={`${what} ${at}`}>
              <span>{OPENED[what]}</span>
              <span className="muted">{by}</span>
              <time className="muted" dateTime={at}>
                {formatDateTime(at, timeZone)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
