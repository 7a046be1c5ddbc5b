import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '#web/api/query.ts';
import { BankChanges } from '#web/features/payouts/bank-changes.tsx';
import { OtherEntries, ReturnedPayouts } from '#web/features/payouts/returned-payouts.tsx';
import { ReturnFiles } from '#web/features/payouts/return-files.tsx';
import {
  byStatus,
  countedEntries,
  sumWords,
  type ReturnEntry,
} from '#web/features/payouts/return-words.ts';
import { UnknownReturn } from '#web/features/payouts/unknown-return.tsx';
import { UploadReturns } from '#web/features/payouts/upload-returns.tsx';
import { Figures } from '#web/kit/figures.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { counted, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Balance } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { useMoments } from '#web/ui/time.tsx';
import '#web/features/payouts/payouts.css';

/** `/admin/returns`; `?file=` shows one returns file, without it the newest. */
export function ReturnsPage() {
  const { file: id } = useSearch({ from: '/admin/admin/returns' });
  const navigate = useNavigate({ from: '/admin/returns' });
  const query = useQuery(
    apiQuery('adminGetReturns', { query: id === undefined ? {} : { file: id } }),
  );
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
              <Status status="completed" label={readWords(file.entryCount)} />
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
          figuresOf={({ entries }) => figuresOf(entries)}
        />
      )}
      <LoadedQuery query={query} what="the returns" lines={10}>
        {({ files, entries }) =>
          files.length === 0 ? (
            <EmptyState
              title="No returns yet"
              hint="When a payout comes back, your bank gives you a file. Upload it here."
            />
          ) : (
            <>
              {byStatus(entries, 'unknown').map((entry) => (
                <UnknownReturn key={entry.id} entry={entry} />
              ))}
              <ReturnedPayouts entries={byStatus(entries, 'booked')} />
              <BankChanges entries={byStatus(entries, 'proposed', 'accepted', 'declined')} />
              <OtherEntries entries={byStatus(entries, 'not_ours', 'repeated', 'listed')} />
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

/** "Read, 5 of 5 entries": a file is booked whole or not at all. */
function readWords(count: number): string {
  return `Read, ${count} of ${countedEntries(count)}`;
}

function figuresOf(entries: readonly ReturnEntry[]) {
  const unknown = byStatus(entries, 'unknown');
  const booked = byStatus(entries, 'booked');
  const changes = byStatus(entries, 'proposed', 'accepted', 'declined');
  const open = byStatus(entries, 'proposed').length;
  const wallets = new Set(booked.map(({ payment }) => payment?.wallet)).size;
  return [
    {
      value: String(unknown.length),
      note: unknown.length === 0 ? 'Nothing is open' : `${sumWords(unknown)}, needs you`,
    },
    {
      value: String(booked.length),
      note:
        booked.length === 0
          ? 'Nothing came back'
          : `${sumWords(booked)}, back in ${counted(wallets, 'wallet')}`,
    },
    {
      value: String(changes.length),
      note: open === 0 ? 'No money, nothing to update' : 'No money, accounts to update',
    },
  ] as const;
}
