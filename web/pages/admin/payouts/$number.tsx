import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { PayoutFileView } from '#web/features/payouts/payout-file-view.tsx';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/** `/admin/payouts/0031` */
export function PayoutFilePage() {
  const { number } = useParams({ from: '/admin/admin/payouts/$number' });
  const [page, setPage] = useState(1);
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
          <ScreenHead title={`Payout file ${number}`} />
          <LoadedQuery query={query} what="the payout file" lines={10} />
        </>
      ) : (
        <PayoutFileView file={query.data} page={page} onGoTo={setPage} />
      )}
    </>
  );
}
