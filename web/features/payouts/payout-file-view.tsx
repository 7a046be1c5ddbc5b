import type { PayoutFileDetails } from '#contract/api.ts';
import { type ReactNode, useState } from 'react';
import { bankingToday } from '#contract/banking-days.ts';
import { formatMoney } from '#contract/money.ts';
import { PAYOUT_ENTRIES_SHOWN } from '#contract/payouts.ts';
import { addressOf } from '#web/api/client.ts';
import { ExportLink } from '#web/kit/export-link.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { counted, formatCount, formatDay, formatDayRange } from '#web/lib/format.ts';
import { DatedRail, type DatedStep } from '#web/ui/dated-rail.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Balance } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { countedEntries, PAYEES, payeesWords } from './lots.ts';
import { NumberedPager } from '#web/kit/numbered-pager.tsx';
import { PaidOfFile } from './paid-of-file.tsx';
import { accountColumn, amountColumn, payToColumn } from './payout-columns.tsx';
import { PayoutChecks } from './payout-checks.tsx';
import { PayoutFileActs } from './payout-file-acts.tsx';
import { PayoutReversals, ReversePayment } from './payout-reversals.tsx';
import { RefusedEntries } from './refused-entries.tsx';
import { Sheet } from '#web/ui/sheet.tsx';

type Entry = PayoutFileDetails['entries'][number];

const STEPS = ['prepared', 'downloaded', 'sent', 'settled'] as const;
const DONE = {
  prepared: 'Prepared',
  downloaded: 'Downloaded',
  sent: 'Sent',
  settled: 'Settled',
  cancelled: 'Cancelled',
} as const;
const WAITING = {
  prepared: '',
  downloaded: 'Waiting for download',
  sent: 'Waiting to be sent',
  settled: 'Waiting for the bank',
} as const;

interface PayoutFileViewProps {
  file: PayoutFileDetails;
  /** Page of its entries. */
  page: number;
  onGoTo: (page: number) => void;
}

/** One payout file: where it is, what is in it, and what can be done with it. */
export function PayoutFileView({ file, page, onGoTo }: PayoutFileViewProps) {
  const write = useMoments();
  const [asked, setAsked] = useState<Entry>();
  const { number, fileName, createdAt, createdBy, status, total } = file;
  return (
    <>
      <ScreenHead
        title={`Payout file ${number}`}
        subtitle={
          <>
            <span translate="no">{fileName}</span>, made {write(createdAt, 'shortDateTime')} by{' '}
            {createdBy}
          </>
        }
        end={
          <div className="payout-sum">
            <Status status={status} />
            <Balance amount={total} size="small" />
          </div>
        }
      />
      <DatedRail label="Progress of the file" layout="lying" steps={stepsOf(file)} />
      <dl className="payout-spec">
        {specOf(file).map(({ label, value, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value}
              {note !== undefined && <span className="meta">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <RefusedEntries
        refused={file.refused}
        title="Not posted"
        label="Payments that could not be posted"
        note={`The bank has these payments, and they could not be ${file.status === 'settled' ? 'completed' : 'marked as sent'} here. All others are posted. Purser tries again each minute; the file waits for them.`}
      />
      <div className="payout-file">
        <Section
          title="Entries"
          end={
            <span className="payout-export">
              <span className="meta">{countedEntries(file.batches)}</span>
              <ExportLink
                href={addressOf('adminExportPayoutFile', { params: { id: file.id } })}
                label="Export CSV"
              />
            </span>
          }
        >
          <Table
            label="Entries of the file, by batch"
            isDense
            columns={columnsOf(file, setAsked)}
            rows={file.entries}
            rowKey={({ itemId }) => itemId}
            groups={{ of: ({ batchNumber }) => String(batchNumber), isFolded: () => false }}
          />
          <NumberedPager
            {...{ page, onGoTo, pageSize: PAYOUT_ENTRIES_SHOWN }}
            {...{ shown: file.entries.length, total: file.itemCount, itemNoun: 'entries' }}
          />
          <p className="payout-note meta">
            {file.control !== null &&
              file.control.debit.minor !== '0' &&
              'Each batch also has a debit of the company’s account over the same sum. '}
            Full account numbers are only in the file.
          </p>
        </Section>
        <div className="payout-file__aside">
          <PayoutFileActs file={file} />
          {file.status === 'downloaded' && <YourCopy file={file} />}
          <PayoutChecks file={file} />
        </div>
      </div>
      <PayoutReversals reversals={file.reversals} />
      {asked !== undefined && (
        <ReversePayment
          entry={asked}
          until={asked.reversibleUntil ?? ''}
          onClose={() => setAsked(undefined)}
        />
      )}
      <PaidOfFile file={file} />
    </>
  );
}

function stepsOf({
  history,
  status,
  effectiveOn,
  waitsFor,
  unposted,
  itemCount,
}: PayoutFileDetails): DatedStep[] {
  const taken = history.map((step): DatedStep => {
    const name = step.status as keyof typeof DONE;
    const state = name === 'cancelled' ? 'void' : name === 'settled' ? 'arrived' : 'done';
    return { state, what: DONE[name], at: step.at, who: step.by ?? undefined };
  });
  if (status === 'cancelled') return taken;
  if (unposted > 0) {
    const done = `${formatCount(itemCount - unposted)} of ${formatCount(itemCount)}`;
    const what = status === 'sent' ? 'Payments are marked as sent' : 'Payments are completed';
    taken.push({ state: 'now', what, who: done });
    if (status === 'sent') taken.push({ state: 'next', what: DONE.settled });
    return taken;
  }
  const next = STEPS.slice(STEPS.indexOf(status) + 1);
  const arrives = formatDayRange(effectiveOn[0] ?? '', effectiveOn.at(-1) ?? '');
  return [
    ...taken,
    ...next.map((name, at): DatedStep =>
      at === 0
        ? {
            state: 'now',
            what: WAITING[name],
            who: name === 'downloaded' && waitsFor.length > 0 ? waitingFor(waitsFor) : undefined,
          }
        : {
            state: 'next',
            what: DONE[name],
            ...(name === 'settled' && { time: arrives, timeNote: 'expected' }),
          },
    ),
  ];
}

/** "Waiting for Theo Marchetti", "Waiting for one of 3 others". */
function waitingFor(names: readonly string[]): string {
  return names.length > 2
    ? `Waiting for one of ${names.length} others`
    : `Waiting for ${names.join(' or ')}`;
}

const FORMATS = {
  nacha: 'NACHA ACH',
  pain001_03: 'ISO 20022, pain.001.001.03',
  pain001_09: 'ISO 20022, pain.001.001.09',
} as const;

interface Spec {
  label: string;
  value: ReactNode;
  note?: ReactNode;
}

/** Meaning of the effective dates of a file (docs/decisions/084). */
function effectiveNote({ sameDayUntil, control }: PayoutFileDetails): string {
  if (control === null) return 'Your bank pays then';
  return sameDayUntil === null ? 'Next banking days' : 'Same day, for people';
}

function specOf(file: PayoutFileDetails): Spec[] {
  const { control, leftBankOn, bankReference, batches, itemCount, total } = file;
  const word = control === null ? 'name' : 'entryClass';
  const classes = batches.map(({ payees }) => PAYEES[payees][word]).join(', ');
  const numberOf = (at: number) => String(batches.at(at)?.number ?? 1).padStart(7, '0');
  const differs = control === null ? 0n : BigInt(total.minor) - BigInt(control.debit.minor);
  return [
    {
      label: 'Format',
      value: FORMATS[file.format],
      note: `${formatCount(file.byteCount)} bytes`,
    },
    {
      label: 'Effective',
      value: file.effectiveOn.map((day) => formatDay(day, 'short')).join(' and '),
      note: effectiveNote(file),
    },
    {
      label: 'Company account',
      value: (
        <span translate="no">
          {file.bankName} ••{file.bankLast4}
        </span>
      ),
      note: leftBankOn === null ? undefined : `Left ${formatDay(leftBankOn, 'short')}`,
    },
    control === null
      ? { label: 'Payments', value: formatCount(itemCount), note: classes }
      : {
          label: 'Batches',
          value: (
            <span className="num">
              {batches.length === 1 ? numberOf(0) : `${numberOf(0)} to ${numberOf(-1)}`}
            </span>
          ),
          note: classes,
        },
    ...(control === null
      ? []
      : [{ label: 'Debit', value: formatMoney(control.debit), note: 'Company account' }]),
    ...(file.messageId === null
      ? []
      : [{ label: 'Message ID', value: <span className="num">{file.messageId}</span> }]),
    {
      label: control === null ? 'Control sum' : 'Credit',
      value: formatMoney(total),
      note: countedEntries(batches),
    },
    ...(control === null
      ? []
      : [
          {
            label: 'Debit and credit',
            value:
              differs === 0n ? <Status status="completed" label="Balanced" /> : 'Credits alone',
            note: `${counted(control.blockCount, 'block')} of ten`,
          },
          { label: 'Entry hash', value: <span className="num">{control.entryHash}</span> },
        ]),
    ...(bankReference === null ? [] : [{ label: 'Bank’s reference', value: bankReference }]),
  ];
}

/** Facts by which the copy that somebody has is compared with the bank's. */
function YourCopy({ file }: { file: PayoutFileDetails }) {
  return (
    <Sheet title="The copy you have">
      <Facts
        facts={[
          { label: 'Name', value: <span translate="no">{file.fileName}</span> },
          { label: 'Size', value: `${formatCount(file.byteCount)} bytes` },
          {
            label: 'SHA-256',
            value: (
              <span className="num" translate="no">
                {file.contentHash.match(/.{1,8}/g)?.join(' ')}
              </span>
            ),
          },
        ]}
      />
      <p className="meta">
        Compare these with what the bank shows after the upload. Delete the copy when it is sent.
      </p>
    </Sheet>
  );
}

function columnsOf(
  file: PayoutFileDetails,
  onReverse: (entry: Entry) => void,
): readonly Column<Entry>[] {
  const today = bankingToday(new Date(), file.total.currency);
  const canReverse = ({ reversibleUntil }: Entry) =>
    reversibleUntil !== null && reversibleUntil >= today;
  const batchOf = (key: string) => file.batches.find((batch) => String(batch.number) === key);
  return [
    {
      ...payToColumn<Entry>(),
      group(key) {
        const batch = batchOf(key);
        return (
          batch !== undefined && (
            <>
              <span className="strong">Batch {batch.number}</span>{' '}
              {`${payeesWords(batch.payees, file.control !== null)}, ${formatDay(batch.effectiveOn, 'short')}`}
            </>
          )
        );
      },
      total: `Total, ${countedEntries(file.batches)}`,
    },
    { ...accountColumn<Entry>(), total: '' },
    {
      id: 'trace',
      header: 'Trace number',
      narrow: 'hidden',
      cell: ({ traceNumber }) => (
        <span className="num" translate="no">
          {`${traceNumber.slice(0, 8)}\u00A0${traceNumber.slice(8)}`}
        </span>
      ),
      total: '',
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: ({ status }) => <Status status={status as StatusName} />,
      total: '',
    },
    {
      ...amountColumn<Entry>(),
      group(key) {
        const batch = batchOf(key);
        return batch !== undefined && formatMoney(batch.total);
      },
      total: <span className="num">{formatMoney(file.total)}</span>,
    },
    ...(file.entries.some(canReverse)
      ? [
          {
            ...actionsColumn<Entry>({
              narrow: 'hidden',
              nameOf: ({ reference, payTo }) => `${reference} to ${payTo}`,
              actions: (entry) =>
                canReverse(entry)
                  ? [
                      {
                        label: 'Ask the Bank to Reverse',
                        shortLabel: 'Reverse',
                        isQuiet: true,
                        why: entry.reversalRefusal ?? undefined,
                        onPress: () => onReverse(entry),
                      },
                    ]
                  : [],
            }),
            total: '',
          },
        ]
      : []),
  ];
}
