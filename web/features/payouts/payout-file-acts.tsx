import { useState } from 'react';
import type { RouteReply, PayoutFileDetails } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, useAction } from '#web/kit/action.tsx';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { ReasonDialog } from '#web/kit/reason-dialog.tsx';
import { counted } from '#web/lib/format.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import './payouts.css';

const DECISIONS = decisionsOf(payoutFile);
type Decided = keyof typeof DECISIONS;
type Act = PayoutFileDetails['acts'][number]['act'];

/** Acts that a file allows now. */
export function PayoutFileActs({ file }: { file: PayoutFileDetails }) {
  const [asked, setAsked] = useState<Act>();
  const close = () => setAsked(undefined);
  if (file.acts.length === 0) return null;
  const acts = new Map(file.acts.map(({ act, refusal }) => [act, refusal]));
  const failed = file.checks.find(({ refusal }) => refusal !== null);
  const refusals = [...new Set(file.acts.flatMap(({ refusal }) => refusal ?? []))];
  const button = (act: Act, label: string, kind?: 'solid' | 'money' | 'danger') => {
    const isBlocked = failed !== undefined && (act === 'download' || act === 'downloadAgain');
    return (
      acts.has(act) && (
        <Button
          kind={kind}
          isDisabled={acts.get(act) !== null || isBlocked}
          onPress={() => setAsked(act)}
        >
          {label}
        </Button>
      )
    );
  };
  const isForDownload = acts.has('download') || acts.has('downloadAgain');
  return (
    <>
      <Sheet title="Next">
        <div className="payout-acts">
          {button('send', 'Mark as Sent', 'money')}
          {acts.has('send') && (
            <p className="meta">
              After the bank has taken the file. {counted(file.itemCount, 'payment')} leave their
              wallets, and everyone is notified.
            </p>
          )}
          {isForDownload && (
            <>
              <span className="payout-acts__download">
                {button('download', 'Download Once', 'solid')}
                {button('downloadAgain', 'Download Again')}
              </span>
              <Button kind="solid" isDisabled className="payout-acts__narrow">
                {acts.has('download') ? 'Download Once' : 'Download Again'}
              </Button>
              <p className="payout-acts__narrow meta">
                On a computer: the file has full account numbers.
              </p>
            </>
          )}
          {failed !== undefined && (
            <p className="meta">A check failed. The file cannot be downloaded.</p>
          )}
          {acts.has('download') && (
            <>
              <Button kind="money" isDisabled>
                Mark as Sent
              </Button>
              <p className="meta">Download it and give it to {file.bankName} first.</p>
            </>
          )}
          {button('settle', 'Settle', 'money')}
          {button('cancel', 'Cancel File', 'danger')}
        </div>
        {refusals.map((refusal) => (
          <p className="payout-note meta" key={refusal}>
            {refusal}
          </p>
        ))}
      </Sheet>
      {asked === 'download' && <Download file={file} onClose={close} />}
      {asked === 'downloadAgain' && <DownloadAgain file={file} onClose={close} />}
      {isDecided(asked) && (
        <DecisionDialog
          decision={DECISIONS[asked]}
          id={file.id}
          subject={`File ${file.number}, ${formatMoney(file.total)}.`}
          topic="payouts"
          unchanged="The payout file was not changed."
          onClose={close}
        >
          {formatMoney(file.total)} to {counted(file.itemCount, 'account')}.{' '}
          {DECISIONS[asked].consequence}
        </DecisionDialog>
      )}
    </>
  );
}

function isDecided(act: Act | undefined): act is Act & Decided {
  return act !== undefined && Object.hasOwn(DECISIONS, act);
}

interface DownloadProps {
  file: PayoutFileDetails;
  onClose: () => void;
}

const SENT = { what: 'the download', where: 'on this page' };

function save({ fileName, content }: RouteReply<'adminDownloadPayoutFile'>): void {
  saveFile(fileName, new Blob([content], { type: 'application/octet-stream' }));
}

function Download({ file, onClose }: DownloadProps) {
  return (
    <ConfirmAction
      title={`Download file ${file.number}?`}
      keep="Not Now"
      confirm="Download Once"
      pending="Downloading"
      kind="solid"
      send={(_input, options) =>
        call('adminDownloadPayoutFile', { params: { id: file.id } }, options)
      }
      topics={['payouts']}
      done={({ fileName }) => ({ title: 'File Downloaded', message: `${fileName}.` })}
      failed="File not downloaded"
      onDone={save}
      sent={SENT}
      onClose={onClose}
    >
      The file has {counted(file.itemCount, 'full account number')} and pays{' '}
      {formatMoney(file.total)}. It can be downloaded once. The audit trail records it.
    </ConfirmAction>
  );
}

function DownloadAgain({ file, onClose }: DownloadProps) {
  const again = useAction<RouteReply<'adminDownloadPayoutFileAgain'>, string>({
    send: (reason, options) =>
      call('adminDownloadPayoutFileAgain', { params: { id: file.id }, body: { reason } }, options),
    topics: ['payouts'],
    done: ({ fileName }) => ({ title: 'File Downloaded Again', message: `${fileName}.` }),
    failed: 'File not downloaded',
    onDone: save,
    onSettled: onClose,
    saysUnknown: true,
  });
  return (
    <ReasonDialog
      title={`Download file ${file.number} again`}
      onClose={onClose}
      onConfirm={(reason) => again.mutate(reason)}
      keepLabel="Not Now"
      confirmLabel="Download Again"
      emptyHint="Enter why the copy is needed."
      kind="solid"
      placeholder="Kept in the audit trail"
      notice={<OutcomeNotice {...again.outcome} {...SENT} />}
      isPending={again.isPending}
      pendingLabel="Downloading"
    >
      Only if the copy was lost. A file that is given to the bank twice pays everyone twice.
    </ReasonDialog>
  );
}
