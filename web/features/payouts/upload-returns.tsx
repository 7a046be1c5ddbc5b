import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { errorSentence } from '#contract/errors.ts';
import { decimalAmount, formatMoney } from '#contract/money.ts';
import { RETURN_FILE_MAX_BYTES } from '#contract/returns.ts';
import { readAgain } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { uploadFile } from '#web/api/upload.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScrollBox } from '#web/ui/scroll-box.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { countedEntries } from './return-words.ts';
import './returns.css';

type Check = RouteReply<'adminCheckReturns'>;
type Refused = NonNullable<Check['refused']>;
type Control = NonNullable<Refused['control']>;
type FigureRow = Control['figures'][number];

const TOPICS = ['payouts', 'withdrawals', 'payments', 'bank-accounts'] as const;

interface UploadReturnsProps {
  onClose: () => void;
  /** Is given the id of the booked file. */
  onBooked: (id: string) => void;
}

/** Checks a returns file and books it. Open while mounted. */
export function UploadReturns({ onClose, onBooked }: UploadReturnsProps) {
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File>();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const check = useMutation({
    networkMode: 'always',
    mutationFn: (of: File) => uploadFile('adminCheckReturns', {}, of, () => undefined),
  });
  const book = useMutation({
    networkMode: 'always',
    mutationFn: ({ of, hash }: { of: File; hash: string }) =>
      uploadFile('adminBookReturns', { query: { fileName: of.name, hash } }, of, () => undefined),
    onSuccess: async ({ id, entryCount }) => {
      await readAgain(queryClient, [...TOPICS]);
      toast({
        title: 'Returns Booked',
        message: `${countedEntries(entryCount)} read.`,
        tone: 'positive',
      });
      onBooked(id);
    },
  });
  const choose = async (chosen: File) => {
    setIsTooLarge(chosen.size > RETURN_FILE_MAX_BYTES);
    if (chosen.size > RETURN_FILE_MAX_BYTES) return;
    // The file may be changed or moved while this page is open.
    const kept = new File([await chosen.arrayBuffer()], chosen.name, { type: 'text/csv' });
    setFile(kept);
    book.reset();
    check.mutate(kept);
  };
  const problem = book.error ?? check.error;
  const reply = check.data;
  const isReady = reply !== undefined && !check.isPending && problem === null;
  return (
    <Dialog
      title="Upload returns"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Cancel</Button>
          <Button
            kind="solid"
            isPending={book.isPending}
            pendingLabel="Booking"
            why={check.isPending ? 'It is being checked.' : whyNot(reply)}
            onPress={() => file && reply && book.mutate({ of: file, hash: reply.hash })}
          >
            {reply && reply.booked.count > 0
              ? `Book Returns ${formatMoney(reply.booked.total)}`
              : 'Book Returns'}
          </Button>
        </>
      }
    >
      {problem !== null && (
        <Notice tone="critical" role="alert">
          <p className="strong">
            {errorMessage(problem, 'The file was not sent. Please try again.')}
          </p>
        </Notice>
      )}
      {isReady && reply.refused !== null && <RefusedFile refused={reply.refused} />}
      {isReady && reply.bookedAs !== null && (
        <Notice tone="caution" role="status">
          <p className="strong">This file was booked before.</p>
          <p>Nothing of it is booked again.</p>
        </Notice>
      )}
      <FileDrop
        name="returns"
        label="Returns file"
        wanted="file"
        accept=".ach,.txt,.nacha"
        rule="NACHA returns and changes, up to 5 MB"
        error={isTooLarge ? errorSentence('return_file_too_large') : undefined}
        file={file && { name: file.name }}
        onChoose={(chosen) => void choose(chosen)}
      />
      {isReady && reply.refused === null && <Tally check={reply} />}
    </Dialog>
  );
}

function whyNot(check: Check | undefined): string | undefined {
  if (check === undefined) return 'Choose a file first.';
  if (check.refused !== null) return 'The file does not add up.';
  return check.bookedAs === null ? undefined : 'The file was booked before.';
}

/** Outcome of the entries of a file. */
function Tally({ check }: { check: Check }) {
  const lines = [
    check.booked.count > 0 &&
      `${counted(check.booked.count, 'payout')} came back: ${formatMoney(check.booked.total)} returns to the wallets, and each owner is notified.`,
    check.unknown > 0 &&
      `${countedEntries(check.unknown)} not known. Nothing is booked until you decide.`,
    check.proposed > 0 &&
      `${counted(check.proposed, 'change')} of bank details to decide on. Nothing changes by itself.`,
    check.repeated > 0 && `${countedEntries(check.repeated)} booked before. Left out.`,
    check.listed > 0 && `${countedEntries(check.listed)} that change nothing.`,
  ].filter((line) => line !== false);
  return (
    <div role="status">
      <p className="strong">
        Read, {countedEntries(check.entryCount)} from {check.bankName}. Its control totals agree.
      </p>
      <ul className="followed">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

const FIGURES: Readonly<Record<string, string>> = {
  batchCount: 'Batches',
  blockCount: 'Blocks',
  entryCount: 'Entries and addenda',
  entryHash: 'Entry hash',
  debitMinor: 'Debit',
  creditMinor: 'Credit',
};

const COLUMNS: readonly Column<FigureRow>[] = [
  {
    id: 'name',
    header: 'Control total',
    narrow: 'start',
    isRowHeader: true,
    cell: ({ name, found, expected }) => (
      <span className={found === expected ? undefined : 'strong'}>{FIGURES[name] ?? name}</span>
    ),
  },
  {
    id: 'columns',
    header: 'Columns',
    narrow: 'start-second',
    cell: ({ from, to }) => <span className="num">{`${from}–${to}`}</span>,
  },
  {
    id: 'found',
    header: 'The file says',
    align: 'right',
    narrow: 'end',
    cell: ({ name, found }) => <span className="num">{figureWords(name, found)}</span>,
  },
  {
    id: 'expected',
    header: 'Purser counted',
    align: 'right',
    narrow: 'end-second',
    cell: ({ name, expected }) => <span className="num">{figureWords(name, expected)}</span>,
  },
];

function figureWords(name: string, figure: string): string {
  return name.endsWith('Minor') ? decimalAmount(BigInt(figure)) : figure;
}

/** A file that is wrong, with its control record where that is what is wrong. */
function RefusedFile({ refused: { record, columns, why, control } }: { refused: Refused }) {
  const place = columns === null ? '' : `, columns ${columns.from} to ${columns.to}`;
  return (
    <>
      <Notice tone="critical" role="alert">
        <p className="strong">This file does not add up, so nothing of it was booked.</p>
        <p>
          Record {record}
          {place}: {why}. Ask your bank for the file again, or choose another one.
        </p>
      </Notice>
      {control !== null && (
        <>
          <p className="meta">
            {control.kind === 'batch' ? 'Batch' : 'File'} control record. It holds no account
            numbers.
          </p>
          <ScrollBox label={`Record ${record} of the file`}>
            <pre className="record" translate="no">
              {control.record}
              {'\n'}
              {columns !== null &&
                ' '.repeat(columns.from - 1) + '^'.repeat(columns.to - columns.from + 1)}
            </pre>
          </ScrollBox>
          <Table
            label="Control totals"
            isDense
            columns={COLUMNS}
            rows={control.figures}
            rowKey={({ name }) => name}
          />
        </>
      )}
    </>
  );
}
