import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#contract/money.ts';
import { HeldPayouts } from '#web/features/payouts/held-payouts.tsx';
import { PayoutFiles } from '#web/features/payouts/payout-files.tsx';
import { ALL, type Part } from '#web/features/payouts/part.ts';
import { ReadyPayouts } from '#web/features/payouts/ready-payouts.tsx';
import { apiQuery } from '#web/api/query.ts';
import { Figures } from '#web/kit/figures.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { counted } from '#web/lib/format.ts';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** `/admin/payouts` */
export function PayoutsPage() {
  const [part, setPart] = useState<Part>(ALL);
  const [filesPage, setFilesPage] = useState(1);
  const query = useQuery({
    ...apiQuery('adminGetPayouts', { query: { ...part, filesPage } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ScreenHead
        subtitle="Purser writes the file. Your bank moves the money."
        actions={<LinkButton href="/admin/returns">Returns</LinkButton>}
      />
      <Figures
        query={query}
        labels={['Ready to pay', 'Held', 'On its way']}
        figuresOf={({ readySum, heldSum, onItsWay, files }) => [
          {
            value: <Money amount={readySum.total} />,
            note: readySum.count === 0 ? 'Nothing waits' : counted(readySum.count, 'payment'),
          },
          {
            value: <Money amount={heldSum.total} />,
            note: heldSum.count === 0 ? 'Nothing is held' : counted(heldSum.count, 'payment'),
          },
          {
            value: <Money amount={onItsWay} />,
            note: counted(files.filter(({ status }) => status === 'sent').length, 'file'),
          },
        ]}
      />
      <LoadedQuery query={query} what="the payouts" lines={10}>
        {(payouts) => (
          <>
            {!payouts.hasFiles && (
              <Notice tone="motion">
                <p>
                  You complete payouts by hand, under Withdrawals and Bills. To have Purser write
                  files for your bank, enter the bank under{' '}
                  <TextLink href="/admin/settings">Settings</TextLink>, Payout files.
                </p>
              </Notice>
            )}
            <div className="section">
              <ReadyPayouts payouts={payouts} part={part} onPart={setPart} />
            </div>
            {payouts.held.length > 0 && (
              <div className="section">
                <HeldPayouts
                  held={payouts.held}
                  sum={`${counted(payouts.heldSum.count, 'payment')}, ${formatMoney(payouts.heldSum.total)}`}
                />
              </div>
            )}
            <div className="section">
              <PayoutFiles
                files={payouts.files}
                count={payouts.fileCount}
                page={filesPage}
                onGoTo={setFilesPage}
              />
            </div>
          </>
        )}
      </LoadedQuery>
    </>
  );
}
