import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { RouteInput, RouteReply } from '#contract/api.ts';
import { formatMoney, negated, type Money as Amount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { FollowedTransfers } from './followed-transfers.tsx';
import {
  checkGone,
  GoneChoices,
  GoneNotice,
  GonePlan,
  instalmentOf,
  minus,
  startOfGone,
  termsOf,
  type GoneValues,
} from './recoveries/gone-line.tsx';
import {
  checkReversal,
  NO_REVERSAL,
  ReversalFields,
  ReversalHead,
  reversalOf,
} from './reversal-fields.tsx';
import './payroll.css';

type Reversible = RouteReply<'adminGetPayrollReversal'>;

/** Takes one paid line back; where its wallet has less, what is there, or all of it by an agreement. Shown while it is mounted. */
export function ReverseLine({ lineId, onClose }: { lineId: string; onClose: () => void }) {
  const query = useQuery(apiQuery('adminGetPayrollReversal', { params: { id: lineId } }));
  // One that cannot be read again stays, with what was typed.
  if (query.data === undefined) {
    return (
      <Dialog title="Reverse Payment" onClose={onClose}>
        <LoadedQuery query={query} what="this payment" lines={6} />
      </Dialog>
    );
  }
  return <ReverseForm reversible={query.data} onClose={onClose} />;
}

/** Request with the amounts that were shown when it was sent. */
type Request =
  | { act: 'reverse'; body: RouteInput<'adminReversePayrollLine'>['body'] }
  | { act: 'recover'; body: RouteInput<'adminProposeRecovery'>['body']; rest: Amount };

/**
 * One form whether the wallet has the money or not. The wallet can change while it is open: what was typed stays, and the
 * person chooses what to do with the rest.
 */
function ReverseForm({ reversible, onClose }: { reversible: Reversible; onClose: () => void }) {
  const { line, left, available, refusal, recovery } = reversible;
  const { employee } = line;
  const isThere = BigInt(available.minor) >= BigInt(left.minor);
  const hasSome = available.minor !== '0';
  const [opened] = useState({ available, isThere });
  const [initial] = useState<GoneValues>(() => ({
    // Nobody chose it for a payment that was whole when the form opened.
    what: isThere ? '' : recovery.refusal === null ? 'recover' : 'part',
    ...startOfGone(recovery),
    ...NO_REVERSAL,
  }));
  const state = useFormState({ initial, check: isThere ? checkReversal : checkGone });
  const [what, payrolls, percent] = useWatch({
    control: state.form.control,
    name: ['what', 'payrolls', 'percent'],
  });
  const act = isThere ? 'whole' : what;
  const rest = minus(left, available);
  const instalment = instalmentOf(rest, payrolls);
  const sending = useFormTask<GoneValues, unknown, Request>(state, {
    send: (request, options) => {
      const params = { id: line.id };
      return request.act === 'reverse'
        ? call('adminReversePayrollLine', { params, body: request.body }, options)
        : call('adminProposeRecovery', { params, body: request.body }, options);
    },
    topics: ['payroll', 'wallets'],
    done: (_reply, request) =>
      request.act === 'reverse'
        ? {
            title: 'Payment Reversed',
            message: `${formatMoney(request.body.amount)} was taken back from ${employee.name}.`,
          }
        : {
            title: 'Recovery Proposed',
            message: `${employee.name} is asked to pay ${formatMoney(request.rest)} back.`,
          },
    places: { recovery_terms: 'answerBy' },
    onDone: onClose,
  });

  function requestOf(values: GoneValues): Request {
    const words = reversalOf(values);
    if (isThere) return { act: 'reverse', body: { amount: left, left, ...words } };
    if (values.what === 'part') {
      return { act: 'reverse', body: { amount: available, left, ...words } };
    }
    const now = hasSome ? available : null;
    const body = { now, left, instalment, ...words, ...termsOf(values, recovery) };
    return { act: 'recover', body, rest };
  }

  const reverses = `Reverse ${formatMoney(available)}`;
  const asks = `Ask ${employee.name}`;
  const submits = {
    whole: { label: `Reverse ${formatMoney(left)}`, pending: 'Reversing' },
    part: { label: reverses, pending: 'Reversing' },
    recover: { label: hasSome ? `${reverses} and ${asks}` : asks, pending: 'Asking' },
    '': { label: 'Reverse', pending: 'Reversing' },
  };
  const whyNot = {
    whole: undefined,
    part: hasSome ? undefined : 'Nothing of it is available.',
    recover: recovery.refusal ?? undefined,
    '': undefined,
  };
  return (
    <FormDialog
      title="Reverse Payment"
      state={state}
      task={{ ...sending, submit: (values) => sending.submit(requestOf(values)) }}
      sent={{
        what: act === 'recover' ? 'the proposal' : 'the reversal',
        where: 'in the lines of this payroll',
      }}
      submit={{
        ...submits[act],
        kind: 'danger',
        why: refusal ?? whyNot[act],
      }}
      cancel="Keep Payment"
      onClose={onClose}
    >
      {(fields) => (
        <>
          <ReversalHead employee={employee} amount={left} />
          {refusal === null && opened.isThere !== isThere && (
            <ChangedNotice before={opened.available} now={available} />
          )}
          {isThere ? (
            <div className="reversal-sums">
              <Facts isTight facts={factsOf(reversible)} />
            </div>
          ) : (
            <GoneNotice reversible={reversible} />
          )}
          <FollowedTransfers lineId={line.id} />
          {!isThere && <GoneChoices reversible={reversible} fields={fields} what={what} />}
          <ReversalFields who="employee" fields={fields} />
          {act === 'recover' && (
            <GonePlan reversible={reversible} instalment={instalment} percent={Number(percent)} />
          )}
          {isThere && (
            <p className="meta">The money moves immediately. The payment stays in the history.</p>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** Says that the wallet changed while the form was open, so that another amount is taken back now. */
function ChangedNotice({ before, now }: { before: Amount; now: Amount }) {
  return (
    <Notice tone="caution" role="alert">
      <strong>The wallet changed while you were here.</strong>{' '}
      {`${formatMoney(before)} was available, now it is ${formatMoney(now)}. What you typed is kept. Check the amount before you go on.`}
    </Notice>
  );
}

function factsOf({ line, left, wallet, available }: Reversible): Fact[] {
  return [
    {
      label: `Available in ${WALLET_LABELS[wallet.type]} ••${wallet.last4}`,
      value: <Money amount={available} />,
    },
    { label: `Reversal of ${line.reference}`, value: <Money amount={negated(left)} /> },
    { label: 'Available after', value: <Money amount={minus(available, left)} /> },
  ];
}
