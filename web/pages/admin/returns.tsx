import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { formatMoney } from '#contract/money.ts';
import { RETURN_ENTRIES_SHOWN } from '#contract/returns.ts';
import { apiQuery } from '#web/api/query.ts';
import { BankChanges } from '#web/features/payouts/bank-changes.tsx';
import { RefusedEntries } from '#web/features/payouts/refused-entries.tsx';
import { OtherEntries, ReturnedPayouts } from '#web/features/payouts/returned-payouts.tsx';
import { ReturnFiles } from '#web/features/payouts/return-files.tsx';
import { byStatus, countedEntries, type Returns } from '#web/features/payouts/return-words.ts';
import { UnknownReturns } from '#web/features/payouts/unknown-return.tsx';
import { UploadReturns } from '#web/features/payouts/upload-returns.tsx';
import { Figures } from '#web/kit/figures.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { NumberedPager, pageOf } from '#web/kit/numbered-pager.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Balance } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { useMoments } from '#web/ui/time.tsx';
import '#web/features/payouts/payouts.css';

type File = Returns['files'][number];

/** `/admin/returns`; `?file=` shows one returns file, without it the newest. */
export function ReturnsPage() {
  const { file: id, page: typed } = useSearch({ from: '/admin/admin/returns' });
  const page = pageOf(typed);
  const navigate = useNavigate({ from: '/admin/returns' });
  const query = useQuery({
    ...apiQuery('adminGetReturns', { query: { page, ...(id !== undefined && { file: id }) } }),
    placeholderData: keepPreviousData,
  });
  const [isUploading, setIsUploading] = useState(false);
  const write = useMoments();
  const file = query.data?.file;
  const upload = (
    <Button kind={file ? 'outline' : 'solid'} onPress={() => setIsUploading(true)}>
      <Icon of={Upload} size={16} />
      Upload Returns
    </Button>
  );
  return (
    <>
      <p className="mb-3">
        <TextLink href="/admin/payouts">Payouts</TextLink>
      </p>
      <ScreenHead
        title={file ? `Returns of ${formatDay(file.madeOn, 'monthDay')}` : 'Returns'}
        end={
          file && (
            <div className="payout-sum">
              <Status
                status={file.waiting > 0 ? 'processing' : 'completed'}
                label={readWords(file)}
              />
              <Balance amount={file.total} size="small" />
            </div>
          )
        }
        subtitle={
          file ? (
            <>
              <span translate="no">{file.fileName}</span> of {formatDay(file.madeOn, 'short')},
              booked {write(file.bookedAt, 'shortDateTime')} by {file.bookedBy}. Its control totals
              agree.
            </>
          ) : (
            'What the bank sent back, and the bank details that it asks to change.'
          )
        }
        actions={upload}
      />
      {file !== null && !query.isError && (
        <Figures
          query={query}
          labels={['Unknown', 'Returned', 'Bank details changed']}
          figuresOf={({ figures }) => figuresOf(figures)}
        />
      )}
      <LoadedQuery query={query} what="the returns" lines={10}>
        {({ files, entries, refused, figures, entryCount }) =>
          files.length === 0 ? (
            <EmptyState
              title="No returns yet"
              hint="When a payout comes back, your bank gives you a file. Upload it here."
            />
          ) : (
            <>
              <RefusedEntries
                refused={refused.flatMap(({ payment, why, triedAt }) =>
                  payment === null ? [] : { ...payment, why, triedAt },
                )}
                title="Not booked"
                label="Returns that could not be booked"
                note="The bank sent these payments back, and they could not be booked here. All others are booked. Purser tries again each minute."
              />
              <UnknownReturns entries={byStatus(entries, 'unknown')} />
              <ReturnedPayouts entries={byStatus(entries, 'booked')} sum={figures.booked} />
              <BankChanges entries={byStatus(entries, 'proposed', 'accepted', 'declined')} />
              <OtherEntries entries={byStatus(entries, 'not_ours', 'repeated', 'listed')} />
              <NumberedPager
                {...{ page, pageSize: RETURN_ENTRIES_SHOWN, itemNoun: 'entries' }}
                {...{ shown: entries.length, total: entryCount }}
                onGoTo={(next) =>
                  void navigate({
                    search: ({ page: _page, ...search }) =>
                      next === 1 ? search : { ...search, page: String(next) },
                  })
                }
              />
              {files.length > 1 && <ReturnFiles files={files} shown={file?.id} />}
            </>
          )
        }
      </LoadedQuery>
      {isUploading && (
        <UploadReturns
          onClose={() => setIsUploading(false)}
          onBooked={(booked) => {
            setIsUploading(false);
            void navigate({ search: { file: booked } });
          }}
        />
      )}
    </>
  );
}

/** "Read, 1,000 of 2,300 entries": those of a large file that are still to be booked wait. */
function readWords({ entryCount, waiting }: File): string {
  return `Read, ${formatCount(entryCount - waiting)} of ${countedEntries(entryCount)}`;
}

function figuresOf({ unknown, booked, changes }: Returns['figures']) {
  return [
    {
      value: formatCount(unknown.count),
      note: unknown.count === 0 ? 'Nothing is open' : `${formatMoney(unknown.total)}, needs you`,
    },
    { value: formatCount(booked.count), note: bookedNote(booked) },
    {
      value: formatCount(changes.count),
      note: changes.open === 0 ? 'No money, nothing to update' : 'No money, accounts to update',
    },
  ] as const;
}

function bookedNote({ count, total, wallets }: Returns['figures']['booked']): string {
  if (count === 0) return 'Nothing came back';
  if (wallets === 0) return `${formatMoney(total)}, from checks of accounts`;
  return `${formatMoney(total)}, back in ${counted(wallets, 'wallet')}`;
}
