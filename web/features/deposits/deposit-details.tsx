import type { Deposit, DepositDetails as Details } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { OwnRequest } from '#web/kit/own-request.tsx';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { PrintReceipt } from '#web/ui/print-receipt.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { CheckPhotographs } from './check-photographs.tsx';
import { DepositHead } from './deposit-head.tsx';
import { depositRail } from './deposit-rail.ts';
import { Instructions } from './instructions.tsx';
import './deposit.css';

interface DialogProps {
  id: string;
  onClose: () => void;
}

const useDeposit = (id: string) => useQuery(apiQuery('getDeposit', { params: { id } }));

/** The new deposit, to keep: its reference, the steps to take and what happens next. */
export function DepositResult({ id, onClose }: DialogProps) {
  const query = useDeposit(id);
  return (
    <DoneDialog title="Deposit Submitted" actions={<PrintReceipt />} onClose={onClose}>
      <LoadedQuery query={query} what="the deposit" lines={10}>
        {(deposit) => <DepositDetails deposit={deposit} />}
      </LoadedQuery>
    </DoneDialog>
  );
}

/** One of the person's own deposits in full. */
export function OwnDepositDetails({ id, onClose }: DialogProps) {
  const query = useDeposit(id);
  return (
    <OwnRequest
      title="Deposit details"
      what="the deposit"
      query={query}
      isPrintable
      onClose={onClose}
      cancel={(deposit, onCancelled) => <CancelDeposit deposit={deposit} onClose={onCancelled} />}
    >
      {(deposit) => <DepositDetails deposit={deposit} />}
    </OwnRequest>
  );
}

function DepositDetails({ deposit }: { deposit: Details }) {
  const { name } = useCompany();
  const { instructions, status } = deposit;
  const isPending = status === 'pending';
  return (
    <div className="dialog__parts receipt">
      <ShownAmounts>
        <DepositHead
          line={`${deposit.methodName} to ${deposit.walletName} ••${deposit.walletLast4}`}
          amount={deposit.amount}
          reference={deposit.reference}
          status={status}
        />
        {isPending && instructions !== null && (
          <Instructions deposit={deposit} instructions={instructions} />
        )}
      </ShownAmounts>
      {isPending && instructions === null && (
        <p className="muted">
          The instructions of this request were not kept. Please ask your employer.
        </p>
      )}
      {deposit.method === 'mobile_check' && <CheckPhotographs deposit={deposit} />}
      <section className="deposit__part" aria-labelledby="deposit-next">
        <h3 className="section-title" id="deposit-next">
          {isPending ? 'What happens next' : 'What happened'}
        </h3>
        <DatedRail label="Deposit progress" steps={depositRail(deposit, name)} />
      </section>
      <p className="deposit__fine">
        Disputes must be reported within 60 days, by {formatDay(deposit.disputeUntil, 'date')}.{' '}
        {deposit.supportEmail === null ? (
          'Please ask your administrator.'
        ) : (
          <a className="link" href={`mailto:${deposit.supportEmail}?subject=${deposit.reference}`}>
            Contact support
          </a>
        )}
      </p>
    </div>
  );
}

interface CancelDepositProps {
  deposit: Deposit;
  onClose: () => void;
}

/** Asks, then takes the request back. Shown while it is mounted. */
function CancelDeposit({ deposit, onClose }: CancelDepositProps) {
  const { id, amount, reference, walletName } = deposit;
  return (
    <ConfirmAction
      {...questionTo('Cancel', 'request', 'this deposit')}
      send={(_, options) => call('cancelDeposit', { params: { id } }, options)}
      topics={['deposits']}
      done={{
        title: 'Deposit Cancelled',
        message: `${reference} was cancelled. Nothing was added to your wallet.`,
      }}
      failed="Unable to cancel this deposit request"
      sent={{ what: 'your cancellation', where: 'in your deposits' }}
      onClose={onClose}
    >
      {formatMoney(amount)} will not be added to your {walletName}. If you have sent the money
      already, keep the request: {reference} is how it is found.
    </ConfirmAction>
  );
}
