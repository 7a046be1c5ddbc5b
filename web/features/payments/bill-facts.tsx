import { useMutation } from '@tanstack/react-query';
import { accountWords, factLabel } from '#contract/account-formats.ts';
import type { AdminBill } from '#contract/api.ts';
import { PAYEE_KIND_LABELS } from '#contract/bills.ts';
import { call } from '#web/api/client.ts';
import { toastFailure } from '#web/kit/action.tsx';
import { attemptFacts } from '#web/kit/attempt-facts.tsx';
import { known } from '#web/kit/known-fact.tsx';
import { formatDay } from '#web/lib/format.ts';
import type { Fact } from '#web/ui/facts.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { SentBack } from './returned-payee.tsx';

/** Statuses in which the money has not been sent. */
const WAITING: readonly AdminBill['status'][] = ['scheduled', 'due'];

/** Facts of a bill for an admin, with what is typed at the bank. */
export function billFacts(bill: AdminBill): Fact[] {
  const { payee, dueOn } = bill;
  const { routing, number } = accountWords(bill);
  return [
    { label: 'To', value: `${payee.name} (${PAYEE_KIND_LABELS[payee.kind].toLowerCase()})` },
    ...(routing === null
      ? []
      : [{ label: factLabel(routing), value: routing.shown(bill.routingNumber) }]),
    { label: factLabel(number), value: <AccountNumber bill={bill} /> },
    ...known('Their number', payee.customerNumber),
    ...known('Memo', bill.memo),
    { label: 'Pays on', value: formatDay(bill.payOn, 'date') },
    ...known('Due', dueOn === null ? null : formatDay(dueOn, 'date')),
    ...attemptFacts(bill, (id) => `/admin/bills?bill=${id}`),
  ];
}

/** An earlier bill that the bank sent back from the payee, while this one waits for the payee's confirmation. */
export function ReturnedBefore({ bill: { payee, status, employee } }: { bill: AdminBill }) {
  if (payee.returned === null || !WAITING.includes(status)) return null;
  return (
    <SentBack returned={payee.returned}>
      <p>
        This bill cannot be sent until {employee.name} confirms the payee. If the numbers are wrong,
        stop it.
      </p>
    </SentBack>
  );
}

/** Masked until it is asked for. Each look is recorded on the server. */
function AccountNumber({ bill }: { bill: AdminBill }) {
  const { id, payee } = bill;
  const { number, hasTypes } = accountWords(bill);
  const reveal = useMutation({
    mutationFn: () => call('adminRevealPayee', { params: { id } }),
    onError: (error) => toastFailure('Account number not shown', error),
    gcTime: 0,
  });
  return (
    <>
      <span className="num">
        {reveal.data === undefined
          ? `•••• ${payee.last4}`
          : number.shown(reveal.data.accountNumber)}
      </span>
      {hasTypes && `, ${payee.accountType}`}{' '}
      {reveal.data === undefined && (
        <TextButton onPress={() => reveal.mutate()}>{`Show ${number.name}`}</TextButton>
      )}
    </>
  );
}
