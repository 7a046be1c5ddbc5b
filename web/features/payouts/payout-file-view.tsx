import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { DatedRail, type DatedStep } from '#web/ui/dated-rail.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Balance } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { PAYEES } from './lots.ts';
import { accountColumn, amountColumn, payToColumn } from './payout-columns.tsx';
import { PayoutFileActs } from './payout-file-acts.tsx';

export type File = RouteReply<'adminGetPayoutFile'>;
type Entry = File['entries'][number];

const STEPS = ['prepared', 'downloaded', 'sent', 'settled'] as const;
const DONE = {
  ...{ prepared: 'Prepared', downloaded: 'Downloaded', sent: 'Sent', settled: 'Settled' },
  cancelled: 'Cancelled',
} as const;
const WAITING = {
  ...{ prepared: '', downloaded: 'Waiting for download', sent: 'Waiting to be sent' },
  settled: 'Waiting for the bank',
} as const;

/** One payout file: where it is, what is in it, and what can be done with it. */
export function PayoutFileView({ file }: { file: File }) {
  const write = useMoments();
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
          <div>
            <Status status={status} /> <Balance amount={total} />
          </div>
        }
      />
      <DatedRail label="Progress of the file" layout="lying" steps={stepsOf(file)} />
      <PayoutFileActs file={file} />
      <div className="section">
        <Section
          title="Entries"
          end={<span className="meta">{counted(file.itemCount, 'payment')}</span>}
        >
          <Table
            label="Entries of the file, by batch"
            isDense
            columns={columnsOf(file)}
            rows={file.entries}
            rowKey={({ id }) => id}
            groups={{ of: ({ batchNumber }) => String(batchNumber), isFolded: () => false }}
          />
        </Section>
      </div>
      <div className="section">
        <Section title="The file">
          <Facts facts={factsOf(file)} />
        </Section>
      </div>
      <p className="meta">
        {file.control !== null &&
          file.control.debit.minor !== '0' &&
          'Each batch also has a debit of the company’s account over the same sum. '}
        Full account numbers are only in the file.
      </p>
    </>
  );
}

function stepsOf({ history, status }: File): DatedStep[] {
  const taken = history.map((step): DatedStep => {
    const name = step.status as keyof typeof DONE;
    const state = name === 'cancelled' ? 'void' : name === 'settled' ? 'arrived' : 'done';
    return { state, what: DONE[name], at: step.at, who: step.by ?? undefined };
  });
  if (status === 'cancelled') return taken;
  const next = STEPS.slice(STEPS.indexOf(status) + 1);
  return [
    ...taken,
    ...next.map((name, at): DatedStep =>
      at === 0 ? { state: 'now', what: WAITING[name] } : { state: 'next', what: DONE[name] },
    ),
  ];
}

const FORMATS = {
  nacha: 'NACHA ACH',
  pain001_03: 'ISO 20022, pain.001.001.03',
  pain001_09: 'ISO 20022, pain.001.001.09',
} as const;

function factsOf(file: File): Fact[] {
  const { control, leftBankOn, bankReference } = file;
  return [
    { label: 'Format', value: FORMATS[file.format] },
    {
      label: 'Effective',
      value: file.effectiveOn.map((day) => formatDay(day, 'short')).join(' and '),
    },
    {
      label: 'Company account',
      value: (
        <span translate="no">
          {file.bankName} ••{file.bankLast4}
        </span>
      ),
    },
    { label: 'Credit', value: `${formatMoney(file.total)}, ${counted(file.itemCount, 'payment')}` },
    ...(control === null
      ? []
      : [
          { label: 'Debit', value: formatMoney(control.debit) },
          { label: 'Entry hash', value: <span className="num">{control.entryHash}</span> },
          { label: 'Blocks', value: formatCount(control.blockCount) },
        ]),
    { label: 'Size', value: `${formatCount(file.byteCount)} bytes` },
    {
      label: 'SHA-256',
      value: (
        <span className="num" translate="no">
          {file.contentHash.match(/.{1,8}/g)?.join(' ')}
        </span>
      ),
    },
    ...(leftBankOn === null
      ? []
      : [{ label: 'Left the bank', value: formatDay(leftBankOn, 'short') }]),
    ...(bankReference === null ? [] : [{ label: 'Bank’s reference', value: bankReference }]),
  ];
}

function columnsOf(file: File): readonly Column<Entry>[] {
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
              {`${PAYEES[batch.payees].name}, ${PAYEES[batch.payees].entryClass}, ${formatDay(batch.effectiveOn, 'short')}`}
            </>
          )
        );
      },
      total: `Total, ${counted(file.itemCount, 'payment')}`,
    },
    { ...accountColumn<Entry>(), total: '' },
    {
      id: 'trace',
      header: 'Trace number',
      narrow: 'hidden',
      cell: ({ traceNumber }) => (
        <span className="num" translate="no">
          {`${traceNumber.slice(0, 8)} ${traceNumber.slice(8)}`}
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
  ];
}
