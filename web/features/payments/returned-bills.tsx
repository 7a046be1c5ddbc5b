import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCOUNT_FORMAT_OF, type AccountFormat } from '#contract/account-formats.ts';
import type { Bill, Payee } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney } from '#contract/money.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { CompanyDays } from '#web/kit/company-days.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { typedDate } from '#web/lib/typed-date.ts';
import { Button } from '#web/ui/button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { dayProblem, movedDayWords, NOT_GIVEN } from './check-bill.ts';
import {
  changeProblems,
  payeeChange,
  PayeeFields,
  payeeValues,
  type OutsidePayee,
  type PayeeValues,
} from './payee-fields.tsx';
import { payeeColumn } from './returned-payee.tsx';

/** Bills that the bank sent back and that were not sent again; nothing while there are none. */
export function ReturnedBills() {
  const query = useQuery(apiQuery('listScheduledBills', {}));
  const [resent, setResent] = useState<Bill>();
  // The list of scheduled bills, which reads the same, says a failure.
  const bills = query.data?.returned ?? [];
  return (
    <>
      {bills.length > 0 && (
        <Section title="Sent back by the bank">
          <Table
            label="Bills that the bank sent back, newest first"
            columns={columnsOf(setResent)}
            rows={bills}
          />
        </Section>
      )}
      {resent !== undefined && <ResendBill bill={resent} onClose={() => setResent(undefined)} />}
    </>
  );
}

function columnsOf(onResend: (bill: Bill) => void): Column<Bill>[] {
  return [
    payeeColumn({
      name: ({ payee }) => payee.name,
      detail: ({ payee, reference }) => `••${payee.last4}, ${reference}`,
      note: ({ rejectionReason }) => (
        <>
          <Status status="returned" /> {rejectionReason}
        </>
      ),
    }),
    moneyColumn({ narrow: 'end', amount: ({ amount }) => amount }),
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ payee }) => `the bill to ${payee.name}`,
      actions: (bill) =>
        isLegal(bill, 'resend')
          ? [
              {
                label: 'Correct and Send Again',
                why: refusalOf(bill, 'resend'),
                onPress: () => onResend(bill),
              },
            ]
          : [],
    }),
  ];
}

const TITLE = 'Correct and send again';

/** The payee of a bill, or the one that has taken its place since. */
function payeeOf({ payee }: Bill, payees: readonly Payee[]): OutsidePayee | undefined {
  const outside = payees.filter((one): one is OutsidePayee => one.account !== null);
  return (
    outside.find(({ id }) => id === payee.id) ?? outside.find(({ name }) => name === payee.name)
  );
}

function ResendBill({ bill, onClose }: { bill: Bill; onClose: () => void }) {
  const payees = useQuery(apiQuery('listPayees', {}));
  const payee = payees.data && payeeOf(bill, payees.data.items);
  if (payee !== undefined) return <ResendForm bill={bill} payee={payee} onClose={onClose} />;
  return (
    <Dialog title={TITLE} onClose={onClose} actions={<Button onPress={onClose}>Close</Button>}>
      <p>
        {bill.payee.name} is no longer among your saved payees. The money is in {bill.walletName}.
        Use Pay a Bill to pay a new payee.
      </p>
    </Dialog>
  );
}

interface ResendValues extends PayeeValues {
  /** As typed. */
  payOn: string;
}

function ResendForm({
  bill,
  payee,
  onClose,
}: {
  bill: Bill;
  payee: OutsidePayee;
  onClose: () => void;
}) {
  const { timeZone, currency } = useCompany();
  const format = ACCOUNT_FORMAT_OF[currency];
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const details = payeeValues(payee, format);
  const amount = formatMoney(bill.amount);
  return (
    <TaskDialog
      title={TITLE}
      initial={{ ...details, payOn: typedDate(today) }}
      check={(values: ResendValues) => ({
        ...changeProblems(values, payee, format),
        payOn: values.payOn.trim() === '' ? NOT_GIVEN.payOn : dayProblem(values.payOn, today),
      })}
      send={(values: ResendValues, options) => {
        const body = {
          payeeId: payee.id,
          change: changeOf(values, details, format),
          payOn: parseTypedDate(values.payOn) ?? today,
        };
        return call('resendBill', { params: { id: bill.id }, body }, options);
      }}
      topics={['payments', 'wallets']}
      places={{ bill_day_invalid: 'payOn' }}
      done={(again) => ({
        title: 'Bill Sent Again',
        message: `${again.reference}, ${amount} to ${again.payee.name} ••${again.payee.last4}, is paid on ${formatDay(again.payOn, 'short')}.`,
      })}
      summary="Please check the payee"
      submit={{ label: `Send ${amount} Again`, pending: 'Sending', kind: 'money' }}
      sent={{ what: 'your bill', where: 'under Scheduled bills' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <Facts
            isTight
            facts={[
              { label: 'Bill', value: bill.reference },
              { label: 'Amount', value: <Money amount={bill.amount} /> },
              { label: 'From', value: `${bill.walletName} ••${bill.walletLast4}` },
              { label: 'Sent back', value: bill.rejectionReason ?? '' },
            ]}
          />
          <p className="muted">
            Correct what is wrong. If nothing is, sending it confirms these numbers. Other bills
            that are scheduled stay as they are.
          </p>
          <PayeeFields fields={fields} kept={payee.account} />
          <DateField
            label="Pay on"
            isRequired
            min={today}
            hint={movedDayWords(fields.payOn.value, { today, currency })}
            {...fields.payOn}
          />
          <CompanyDays />
        </>
      )}
    </TaskDialog>
  );
}

/** The corrected details; null where nothing was changed. */
function changeOf(
  { payOn: _, ...values }: ResendValues,
  before: PayeeValues,
  format: AccountFormat,
) {
  const isSame = Object.entries(before).every(
    ([field, value]) => values[field as keyof PayeeValues] === value,
  );
  return isSame ? null : payeeChange(values, format);
}
