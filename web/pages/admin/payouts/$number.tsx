import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { PayoutFileView } from '#web/features/payouts/payout-file-view.tsx';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { pageOf } from '#web/kit/numbered-pager.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/** `/admin/payouts/0031`; a notification has the id of the file instead. */
export function PayoutFilePage() {
  const { number } = useParams({ from: '/admin/admin/payouts/$number' });
  const page = pageOf(useSearch({ from: '/admin/admin/payouts/$number' }).page);
  const navigate = useNavigate({ from: '/admin/payouts/$number' });
  const query = useQuery({
    ...apiQuery('adminGetPayoutFile', { params: { number }, query: { page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <p className="mb-3">
        <TextLink href="/admin/payouts">Payouts</TextLink>
      </p>
      {query.data === undefined ? (
        <>
          <ScreenHead title={number.includes('-') ? 'Payout file' : `Payout file ${number}`} />
          <LoadedQuery query={query} what="the payout file" lines={10} />
        </>
      ) : (
        <PayoutFileView
          file={query.data}
          page={page}
          onGoTo={(next) => void navigate({ search: next === 1 ? {} : { page: String(next) } })}
        />
      )}
    </>
  );
}
