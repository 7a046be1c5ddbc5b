import { useQueryClient } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { RETURN_FILE_MAX_BYTES } from '#contract/returns.ts';
import { readAgain } from '#web/api/live.ts';
import { uploadFile } from '#web/api/upload.ts';
import { useCheckedUpload } from '#web/kit/use-checked-upload.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScrollBox } from '#web/ui/scroll-box.tsx';
import { Status } from '#web/ui/status.tsx';
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
  const upload = useCheckedUpload({
    mostBytes: RETURN_FILE_MAX_BYTES,
    tooLarge: 'return_file_too_large',
    check: (file) => uploadFile('adminCheckReturns', {}, file, () => undefined),
    send: (file, hash) =>
      uploadFile(
        'adminBookReturns',
        { query: { fileName: file.name, hash } },
        file,
        () => undefined,
      ),
    onSent: async ({ id, entryCount, waiting }) => {
      await readAgain(queryClient, [...TOPICS]);
      const read = `${countedEntries(entryCount)} read.`;
      toast({
        ...(waiting === 0
          ? { title: 'Returns Booked', message: read }
          : { title: 'Returns Read', message: `${read} The last of them are booked soon.` }),
        tone: 'positive',
      });
      onBooked(id);
    },
  });
  const { reply, checked } = upload;
  return (
    <Dialog
      title="Upload returns"
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Cancel</Button>
          <Button
            kind="solid"
            isPending={upload.isSending}
            pendingLabel="Booking"
            why={upload.isChecking ? 'It is being checked.' : whyNot(reply)}
            onPress={upload.send}
          >
            {reply && reply.booked.count > 0
              ? `Book Returns ${formatMoney(reply.booked.total)}`
              : 'Book Returns'}
          </Button>
        </>
      }
    >
      <div className="returns-dialog">
        {upload.problem !== undefined && (
          <Notice tone="critical" role="alert">
            <p className="strong">{upload.problem}</p>
          </Notice>
        )}
        {checked && checked.refused !== null && <RefusedFile refused={checked.refused} />}
        {checked && checked.bookedAs !== null && (
          <Notice tone="caution" role="status">
            <p className="strong">This file was booked before.</p>
            <p>Nothing of it is booked again.</p>
          </Notice>
        )}
        <FileDrop
          name="returns"
          label="Returns file"
          wanted="file"
          accept=".ach,.txt,.nacha,.xml"
          rule="NACHA returns and changes, pain.002 or camt.054, up to 100 MB"
          error={upload.tooLarge}
          file={upload.file && { name: upload.file.name }}
          onChoose={(chosen) => void upload.choose(chosen, undefined)}
        />
        {checked?.refused === null && <Tally check={checked} />}
      </div>
    </Dialog>
  );
}

function whyNot(check: Check | undefined): string | undefined {
  if (check === undefined) return 'Choose a file first.';
  if (check.refused !== null) return 'The file does not add up.';
  if (check.entryCount === 0) return 'Nothing in it came back.';
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
    check.entryCount === 0 && 'Nothing came back, so there is nothing to book.',
    check.listed > 0 && `${countedEntries(check.listed)} that change nothing.`,
  ].filter((line) => line !== false);
  return (
    <div role="status">
      <p className="strong">
        Read, {countedEntries(check.entryCount)} from {check.bankName || 'your bank'}. Its control
        totals agree.
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

const columnsOf = (currency: Currency): readonly Column<FigureRow>[] => [
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
    cell: ({ name, found }) => <span className="num">{figureWords(name, found, currency)}</span>,
  },
  {
    id: 'expected',
    header: 'Purser counted',
    align: 'right',
    narrow: 'end-second',
    cell: ({ name, expected }) => (
      <span className="num">{figureWords(name, expected, currency)}</span>
    ),
  },
  {
    id: 'result',
    header: 'Result',
    narrow: 'labelled',
    cell: (figure) =>
      figure.found === figure.expected ? (
        <Status status="completed" label="Agrees" />
      ) : (
        <Status status="failed" label={differenceWords(figure, currency)} />
      ),
  },
];

function figureWords(name: string, figure: string, currency: Currency): string {
  if (name === 'entryHash') return figure.padStart(10, '0');
  return name.endsWith('Minor') ? formatMoney(money(BigInt(figure), currency)) : figure;
}

/** Numbers of the columns, in two lines. */
function ruler(length: number): string {
  const columns = Array.from({ length }, (_, at) => at + 1);
  const tens = columns.map((column) => (column % 10 === 0 ? String(column / 10) : ' '));
  return `${tens.join('')}\n${columns.map((column) => column % 10).join('')}`;
}

/** `Off by $24.00` */
function differenceWords({ name, found, expected }: FigureRow, currency: Currency): string {
  if (name === 'entryHash') return 'Differs';
  const difference = BigInt(found) - BigInt(expected);
  const size = String(difference < 0n ? -difference : difference);
  return `Off by ${figureWords(name, size, currency)}`;
}

/** Fault of a file; of a control total both figures: "the batch says $2,010.00, its entries sum to $1,986.00". */
function whyOf({ why, control, columns }: Refused, currency: Currency): string {
  const figure = control?.figures.find(({ from }) => from === columns?.from);
  if (control === null || figure === undefined) return why;
  const { name, found, expected } = figure;
  const [said, made] = [found, expected].map((one) => figureWords(name, one, currency));
  return `the ${control.kind} says ${said}, its entries make ${made}`;
}

/** `Record 9, columns 33 to 44`, or `Line 12, OrgnlGrpInfAndSts/GrpSts` of an XML file. */
function placeOf({ record, columns, element, isXml }: Refused): string {
  if (isXml) return element === null ? `Line ${record}` : `Line ${record}, ${element}`;
  return columns === null
    ? `Record ${record}`
    : `Record ${record}, columns ${columns.from} to ${columns.to}`;
}

/** A file that is wrong, with its control record where that is what is wrong. */
function RefusedFile({ refused }: { refused: Refused }) {
  const { currency } = useCompany();
  const { record, columns, control } = refused;
  return (
    <>
      <Notice tone="critical" role="alert">
        <p className="strong">This file does not add up, so nothing of it was booked.</p>
        <p>
          {placeOf(refused)}: {whyOf(refused, currency)}. Ask your bank for the file again, or
          choose another one.
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
              <span className="record__ruler" aria-hidden="true">
                {ruler(control.record.length)}
              </span>
              {'\n'}
              {columns === null ? (
                control.record
              ) : (
                <>
                  {control.record.slice(0, columns.from - 1)}
                  <b>{control.record.slice(columns.from - 1, columns.to)}</b>
                  {control.record.slice(columns.to)}
                </>
              )}
            </pre>
          </ScrollBox>
          <Table
            label="Control totals"
            isDense
            columns={columnsOf(currency)}
            rows={control.figures}
            rowKey={({ name }) => name}
          />
        </>
      )}
    </>
  );
}
