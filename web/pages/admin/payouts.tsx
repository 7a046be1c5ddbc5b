import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { CameBackToday } from '#web/features/payouts/came-back-today.tsx';
import { HeldPayouts } from '#web/features/payouts/held-payouts.tsx';
import { PayoutFiles } from '#web/features/payouts/payout-files.tsx';
import { addressOfPart, partOf } from '#web/features/payouts/part.ts';
import { ReadyPayouts } from '#web/features/payouts/ready-payouts.tsx';
import { UploadReturns } from '#web/features/payouts/upload-returns.tsx';
import { apiQuery } from '#web/api/query.ts';
import { Figures } from '#web/kit/figures.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { pageOf } from '#web/kit/numbered-pager.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { counted, formatDayRange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';

type Payouts = RouteReply<'adminGetPayouts'>;

/** `/admin/payouts`; `?search=`, `?payees=` and `?on=` choose among what is ready, `?page=` is that of the files. */
export function PayoutsPage() {
  const address = useSearch({ from: '/admin/admin/payouts' });
  const navigate = useNavigate({ from: '/admin/payouts' });
  const part = partOf(address);
  const filesPage = pageOf(address.page);
  const [isUploading, setIsUploading] = useState(false);
  const query = useQuery({
    ...apiQuery('adminGetPayouts', { query: { ...part, filesPage } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ScreenHead
        subtitle="Purser writes the file. Your bank moves the money."
        actions={
          <Button onPress={() => setIsUploading(true)}>
            <Icon of={Upload} size={16} />
            Upload Returns
          </Button>
        }
      />
      {query.data !== undefined && <CameBackToday payouts={query.data} />}
      <Figures
        query={query}
        labels={['Ready to pay', 'Held', 'On its way', 'Returned this month']}
        figuresOf={(payouts) => [
          { value: <Money amount={payouts.readySum.total} />, note: readyWords(payouts) },
          {
            value: <Money amount={payouts.heldSum.total} />,
            note:
              payouts.heldSum.count === 0
                ? 'Nothing is held'
                : counted(payouts.heldSum.count, 'payment'),
          },
          { value: <Money amount={payouts.onItsWay} />, note: sentWords(payouts.sentFiles) },
          {
            value: <Money amount={payouts.returnedThisMonth.total} />,
            note: <TextLink href="/admin/returns">{returnedWords(payouts)}</TextLink>,
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
              <ReadyPayouts
                payouts={payouts}
                part={part}
                onPart={(next) =>
                  void navigate({ search: { ...address, ...addressOfPart(next) }, replace: true })
                }
              />
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
                onGoTo={(page) =>
                  void navigate({
                    search: { ...address, page: page === 1 ? undefined : String(page) },
                  })
                }
              />
            </div>
          </>
        )}
      </LoadedQuery>
      {isUploading && (
        <UploadReturns
          onClose={() => setIsUploading(false)}
          onBooked={(file) => void navigate({ to: '/admin/returns', search: { file } })}
        />
      )}
    </>
  );
}

/** "6 withdrawals, 3 bills" */
function readyWords(payouts: Payouts): string {
  const { readySum, readyWithdrawals, readyPrenotes, readyMicroDeposits } = payouts;
  const bills = readySum.count - readyWithdrawals - readyPrenotes - readyMicroDeposits;
  const words = [
    readyWithdrawals > 0 && counted(readyWithdrawals, 'withdrawal'),
    bills > 0 && counted(bills, 'bill'),
    readyPrenotes > 0 && counted(readyPrenotes, 'prenote'),
    readyMicroDeposits > 0 && counted(2 * readyMicroDeposits, 'micro-deposit'),
  ].filter((word) => word !== false);
  return words.length === 0 ? 'Nothing waits' : words.join(', ');
}

/** "File 0030, effective Dec 8" */
function sentWords({ count, number, from, to }: Payouts['sentFiles']): string {
  if (count === 0) return 'No file';
  const files = number === null ? counted(count, 'file') : `File ${number}`;
  return from === null || to === null ? files : `${files}, effective ${formatDayRange(from, to)}`;
}

/** "2 entries of file 0029" */
function returnedWords({ returnedThisMonth: { count, fileNumbers } }: Payouts): string {
  if (count === 0) return 'See all returns';
  const entries = count === 1 ? '1 entry' : `${count} entries`;
  return fileNumbers.length === 1
    ? `${entries} of file ${fileNumbers[0]}`
    : `${entries} of ${fileNumbers.length} files`;
}
