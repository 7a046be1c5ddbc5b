import type { Bill } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { takenSteps } from '#web/desk/rail.ts';
import { formatDay } from '#web/lib/format.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';

/**
 * Scheduled → held until its day → Sent → Paid, as far as this bill has come, and what is ahead.
 *
 * @param reader the person who reads it: only the payer is notified when it is paid
 */
export function billRail(bill: Bill, reader: 'payer' | 'admin'): DatedStep[] {
  return [...takenSteps(bill.history), ...stepsAhead(bill, reader)];
}

function stepsAhead(
  { status, amount, walletName, payOn, payee }: Bill,
  reader: 'payer' | 'admin',
): DatedStep[] {
  const day = formatDay(payOn, 'short');
  const sent: DatedStep = {
    state: 'next',
    what: 'Sent',
    who: `To ${payee.name} ••${payee.last4}`,
    time: day,
    timeNote: 'expected',
  };
  const paid: DatedStep = {
    state: 'next',
    what: 'Paid',
    who: `When the bank has settled it.${reader === 'payer' ? ' We notify you.' : ''}`,
  };
  const held = `${formatMoney(amount)} is set aside in ${walletName}`;
  switch (status) {
    case 'scheduled':
      return [{ state: 'now', what: `Held until ${day}`, who: held, time: 'Now' }, sent, paid];
    case 'due':
      return [{ state: 'now', what: 'Being sent', who: held, time: 'Now' }, paid];
    case 'sent':
      return [{ ...paid, state: 'now' }];
    default:
      return [];
  }
}
