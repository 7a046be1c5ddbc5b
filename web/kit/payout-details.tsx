import { useMutation } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { accountTypeLabel, accountWords, factLabel } from '#contract/account-formats.ts';
import { MAX_CHOSEN_PAYOUTS } from '#contract/limits.ts';
import { decimalAmount, formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { copiedTable } from '#web/lib/copied-table.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ActionButton } from './action.tsx';
import { CopyValue } from './copy-value.tsx';

type Target = RouteReply<'adminRevealWithdrawals'>['accounts'][number];

interface PayoutDetailsProps {
  operation: 'adminRevealWithdrawals' | 'adminRevealBills';
  /** Ids of the chosen payouts, at most `MAX_CHOSEN_PAYOUTS`. */
  ids: readonly string[];
  /** "withdrawal" */
  noun: string;
  onClose: () => void;
}

/**
 * The accounts that chosen payouts are sent to, with their whole numbers, once the admin asks for them:
 * each person reads in their access log that they were shown. The numbers are forgotten when it closes.
 */
export function PayoutDetails({ operation, ids, noun, onClose }: PayoutDetailsProps) {
  const reveal = useMutation({
    mutationFn: () => call(operation, { body: { ids: [...ids] } }),
    gcTime: 0,
  });
  const targets = reveal.data?.accounts;
  return (
    <Dialog
      title={`Bank details of ${counted(ids.length, noun)}`}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Close</Button>
          {targets === undefined && (
            <ActionButton kind="solid" action={reveal} pending="Opening">
              Show Account Numbers
            </ActionButton>
          )}
        </>
      }
    >
      {targets === undefined && (
        <p>
          You see the full account numbers, to type them at your bank. Each person can see in their
          access log that you opened them.
        </p>
      )}
      {reveal.isError && (
        <div className="mt-4">
          <Notice tone="critical">{errorMessage(reveal.error, 'Please try again.')}</Notice>
        </div>
      )}
      {targets !== undefined && (
        <>
          <CopyValue
            value={tableOf(targets)}
            label="Copy all as a table"
            words="Copy all as a table"
          />
          {targets.map((target) => (
            <section key={target.id} className="mt-6" aria-label={target.employee.name}>
              <h3 className="section-title">
                {`${target.employee.name}, ${formatMoney(target.amount)}`}
              </h3>
              <Facts isTight facts={targetFacts(target)} />
            </section>
          ))}
        </>
      )}
    </Dialog>
  );
}

/** Opens `PayoutDetails` of the selected payouts. The server shows at most `MAX_CHOSEN_PAYOUTS` together. */
export function PayoutDetailsButton({ count, onPress }: { count: number; onPress: () => void }) {
  const isTooMany = count > MAX_CHOSEN_PAYOUTS;
  return (
    <Button
      why={
        isTooMany
          ? `Select at most ${formatCount(MAX_CHOSEN_PAYOUTS)} to see bank details`
          : undefined
      }
      onPress={onPress}
    >
      {`Bank Details ${formatCount(count)}`}
    </Button>
  );
}

/** Facts that are typed at the bank, each with a button that copies it. */
function targetFacts(target: Target): Fact[] {
  const { accountHolderName, bankName, routingNumber, accountNumber, reference } = target;
  const { routing, number, hasTypes } = accountWords(target);
  return [
    copied('Pay to', accountHolderName),
    ...(bankName === null ? [] : [{ label: 'Bank', value: bankName }]),
    ...(hasTypes ? [{ label: 'Account type', value: accountTypeLabel(target) }] : []),
    ...(routing === null
      ? []
      : [copied(factLabel(routing), routingNumber, routing.shown(routingNumber))]),
    copied(factLabel(number), accountNumber, number.shown(accountNumber)),
    copied('Reference', reference),
  ];
}

function copied(label: string, text: string, shown = text): Fact {
  return {
    label,
    value: <span className="num">{shown}</span>,
    action: (
      <CopyValue value={text} label={`Copy ${label === 'IBAN' ? label : label.toLowerCase()}`} />
    ),
  };
}

function tableOf(targets: readonly Target[]): string {
  return copiedTable([
    [
      'Reference',
      'Employee',
      'Pay to',
      'Bank',
      'Account type',
      headOf(targets, 'routing', 'Routing number'),
      headOf(targets, 'number', 'Account number'),
      'Amount',
      'Currency',
    ],
    ...targets.map((target) => [
      target.reference,
      target.employee.name,
      target.accountHolderName,
      target.bankName ?? '',
      accountTypeLabel(target),
      target.routingNumber,
      target.accountNumber,
      decimalAmount(BigInt(target.amount.minor)),
      target.amount.currency,
    ]),
  ]);
}

/** Name of a number that all accounts have, or else that of a US account. */
function headOf(
  targets: readonly Target[],
  which: 'routing' | 'number',
  otherwise: string,
): string {
  const heads = new Set(
    targets.map((target) => {
      const field = accountWords(target)[which];
      return field === null ? otherwise : factLabel(field);
    }),
  );
  const [head = otherwise] = heads;
  return heads.size === 1 ? head : otherwise;
}
