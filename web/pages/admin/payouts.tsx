import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#contract/money.ts';
import { HeldPayouts } from '#web/features/payouts/held-payouts.tsx';
import { PayoutFiles } from '#web/features/payouts/payout-files.tsx';
import { ReadyPayouts } from '#web/features/payouts/ready-payouts.tsx';
import { sumOf } from '#web/features/payouts/sum-of.ts';
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
  const query = useQuery(apiQuery('adminGetPayouts', {}));
  return (
    <>
      <ScreenHead
        subtitle="Purser writes the file. Your bank moves the money."
        actions={<LinkButton href="/admin/returns">Returns</LinkButton>}
      />
      <Figures
        query={query}
        labels={['Ready to pay', 'Held', 'On its way']}
        figuresOf={({ ready, held, onItsWay, files }) => [
          {
            value: <Money amount={sumOf(ready, onItsWay)} />,
            note: ready.length === 0 ? 'Nothing waits' : counted(ready.length, 'payment'),
          },
          {
            value: <Money amount={sumOf(held, onItsWay)} />,
            note: held.length === 0 ? 'Nothing is held' : counted(held.length, 'payment'),
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
              <ReadyPayouts payouts={payouts} />
            </div>
            {payouts.held.length > 0 && (
              <div className="section">
                <HeldPayouts
                  held={payouts.held}
                  sum={`${counted(payouts.held.length, 'payment')}, ${formatMoney(sumOf(payouts.held, payouts.onItsWay))}`}
                />
              </div>
            )}
            <div className="section">
              <PayoutFiles files={payouts.files} />
            </div>
          </>
        )}
      </LoadedQuery>
    </>
  );
}
