import { useState } from 'react';
import type { PayoutReversal, RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { BANK_REVERSAL_LABELS, BANK_REVERSAL_REASONS } from '#contract/payouts.ts';
import type { BankReversalReason } from '#contract/payouts.ts';
import { payoutReversal } from '#contract/things/payout-reversal.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction } from '#web/kit/action.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { formatDay } from '#web/lib/format.ts';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Select } from '#web/ui/select.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

type Entry = RouteReply<'adminGetPayoutFile'>['entries'][number];

const DECISIONS = decisionsOf(payoutReversal);
type Act = PayoutReversal['acts'][number]['act'];
type Asked = { act: Act; reversal: PayoutReversal };

/** Payments of a file that the bank is asked to take back; nothing while there are none. */
export function PayoutReversals({ reversals }: { reversals: readonly PayoutReversal[] }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  if (reversals.length === 0) return null;
  return (
    <div className="section payout-reversals">
      <Section title="Reversals">
        <Table
          label="Payments that the bank is asked to take back"
          columns={columnsOf((act, reversal) => setAsked({ act, reversal }))}
          rows={reversals}
        />
      </Section>
      {asked?.act === 'download' && <Download reversal={asked.reversal} onClose={close} />}
      {asked !== undefined && (asked.act === 'send' || asked.act === 'cancel') && (
        <DecisionDialog
          decision={DECISIONS[asked.act]}
          id={asked.reversal.id}
          subject={`Reversal ${asked.reversal.number} of ${asked.reversal.reference}.`}
          topic="payouts"
          unchanged="The reversal was not changed."
          onClose={close}
        >
          {formatMoney(asked.reversal.amount)} from {asked.reversal.payTo}.{' '}
          {DECISIONS[asked.act].consequence}
        </DecisionDialog>
      )}
    </div>
  );
}

function StatusOf({ reversal: { status, isBack } }: { reversal: PayoutReversal }) {
  if (isBack) return <Status status="returned" label="Came back" />;
  if (status === 'refused') return <Status status="rejected" label="Refused by the bank" />;
  return <Status status={status} />;
}

/** Reasons why its buttons cannot be pressed, each once. */
function RefusalsOf({ acts }: Pick<PayoutReversal, 'acts'>) {
  const refusals = new Set(acts.flatMap(({ refusal }) => refusal ?? []));
  return [...refusals].map((refusal) => (
    <span key={refusal} className="meta">
      {refusal}
    </span>
  ));
}

const LABELS = {
  download: { label: 'Download Once' },
  send: { label: 'Mark as Sent' },
  cancel: { label: 'Cancel', isQuiet: true },
} as const;

function columnsOf(
  onAct: (act: Act, reversal: PayoutReversal) => void,
): readonly Column<PayoutReversal>[] {
  return [
    {
      id: 'payment',
      header: 'Payment',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ payTo, reference, reason, acts }) => (
        <>
          {payTo}{' '}
          <span className="meta">
            {reference}, {BANK_REVERSAL_LABELS[reason].toLowerCase()}
          </span>
          <RefusalsOf acts={acts} />
        </>
      ),
    },
    {
      id: 'file',
      header: 'File',
      narrow: 'hidden',
      cell: ({ fileName, effectiveOn }) => (
        <>
          <span translate="no">{fileName}</span>{' '}
          <span className="meta">at the other bank {formatDay(effectiveOn, 'short')}</span>
        </>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'start-second',
      cell: (reversal) => <StatusOf reversal={reversal} />,
    },
    moneyColumn({ narrow: 'end', amount: ({ amount }) => amount }),
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ reference }) => `the reversal of ${reference}`,
      actions: (reversal) =>
        (['download', 'send', 'cancel'] as const)
          .filter((act) => isLegal(reversal, act))
          .map((act) => ({
            ...LABELS[act],
            why: refusalOf(reversal, act),
            onPress: () => onAct(act, reversal),
          })),
    }),
  ];
}

function Download({ reversal, onClose }: { reversal: PayoutReversal; onClose: () => void }) {
  return (
    <ConfirmAction<RouteReply<'adminDownloadPayoutReversal'>>
      title={`Download reversal ${reversal.number}?`}
      keep="Not Now"
      confirm="Download Once"
      pending="Downloading"
      kind="solid"
      send={(_input, options) =>
        call('adminDownloadPayoutReversal', { params: { id: reversal.id } }, options)
      }
      topics={['payouts']}
      done={({ fileName }) => ({ title: 'File Downloaded', message: `${fileName}.` })}
      failed="File not downloaded"
      onDone={({ fileName, content }) =>
        saveFile(fileName, new Blob([content], { type: 'application/octet-stream' }))
      }
      sent={{ what: 'the download', where: 'on this page' }}
      onClose={onClose}
    >
      The file has a full account number and takes {formatMoney(reversal.amount)} from{' '}
      {reversal.payTo}. It can be downloaded once. The employee is notified, and the audit trail
      records it.
    </ConfirmAction>
  );
}

interface ReversePaymentProps {
  entry: Entry;
  /** Last day on which the bank can be asked. */
  until: string;
  onClose: () => void;
}

/** Prepares the reversal of a payment. Shown while it is mounted. */
export function ReversePayment({ entry, until, onClose }: ReversePaymentProps) {
  const amount = formatMoney(entry.amount);
  return (
    <TaskDialog
      title="Ask the bank to reverse"
      initial={{ reason: 'duplicate' }}
      check={() => ({})}
      send={({ reason }: { reason: BankReversalReason }, options) =>
        call('adminReversePayout', { body: { itemId: entry.itemId, reason } }, options)
      }
      topics={['payouts']}
      done={({ fileName }) => ({ title: 'Reversal Prepared', message: `${fileName}.` })}
      submit={{ label: 'Prepare Reversal', pending: 'Preparing' }}
      sent={{ what: 'the reversal', where: 'under Reversals' }}
      onClose={onClose}
    >
      {({ reason }) => (
        <>
          <Facts
            isTight
            facts={[
              { label: 'Payment', value: entry.reference },
              { label: 'Paid to', value: `${entry.payTo} ••${entry.last4}` },
              { label: 'Amount', value: <Money amount={entry.amount} /> },
              { label: 'Last day', value: formatDay(until, 'weekday') },
            ]}
          />
          <Select
            label="Reason"
            isRequired
            options={BANK_REVERSAL_REASONS.map((value) => ({
              value,
              label: BANK_REVERSAL_LABELS[value],
            }))}
            {...reason}
          />
          <p className="meta">
            The bank takes back all of {amount}, by a file of its own. Nothing moves in Purser until
            the bank says that the money is back.
          </p>
        </>
      )}
    </TaskDialog>
  );
}
