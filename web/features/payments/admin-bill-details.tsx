import { useMutation, useQuery } from '@tanstack/react-query';
import type { AdminBill } from '#contract/api.ts';
import { PAYEE_KIND_LABELS } from '#contract/bills.ts';
import { call } from '#web/api/client.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { leftBankFacts } from '#web/kit/left-bank-facts.tsx';
import { usePaidFrom } from '#web/kit/paid-from.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatDay, groupedDigits } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { BILL_DECISIONS, billDecisions, type DecidingBill } from './bill-decision.tsx';
import { billRail } from './bill-rail.ts';
import { ReturnWords } from './returned-payee.tsx';

/** Statuses in which the money has not been sent. */
const WAITING: readonly AdminBill['status'][] = ['scheduled', 'due'];

interface AdminBillDetailsProps {
  id: string;
  onClose: () => void;
  onDecide: (deciding: DecidingBill) => void;
}

/** One bill in full: what to type at the bank, how far it is, and everything that can be decided now. */
export function AdminBillDetails({ id, onClose, onDecide }: AdminBillDetailsProps) {
  const query = useQuery(apiQuery('adminGetBill', { params: { id } }));
  const bill = query.data;
  const paidFrom = usePaidFrom(bill === undefined ? [] : [bill]);
  return (
    <Dialog
      title="Bill details"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Close</Button>
          {bill !== undefined &&
            billDecisions(bill, { isRow: false }).map((decision) => (
              <Button
                key={decision}
                kind={BILL_DECISIONS[decision].kind}
                why={decision === 'send' ? paidFrom(bill) : undefined}
                onPress={() => onDecide({ decision, bill })}
              >
                {BILL_DECISIONS[decision].label}
              </Button>
            ))}
        </>
      }
    >
      {query.isPending && <Skeleton lines={8} label="Loading the bill" />}
      {query.isError && <QueryError query={query} title="Error Loading Bill" />}
      {bill !== undefined && (
        <>
          <Facts isTight facts={factsOf(bill)} />
          {bill.payee.returned !== null && WAITING.includes(bill.status) && (
            <div className="mt-4">
              <Notice tone="critical">
                <p>
                  <ReturnWords returned={bill.payee.returned} />
                </p>
                <p>
                  This bill cannot be sent until {bill.employee.name} confirms the payee. If the
                  numbers are wrong, reject it.
                </p>
              </Notice>
            </div>
          )}
          <div className="mt-6">
            <DatedRail label="Bill progress" steps={billRail(bill, 'admin')} />
          </div>
        </>
      )}
    </Dialog>
  );
}

function factsOf(bill: AdminBill): Fact[] {
  const { employee, payee, dueOn } = bill;
  const optional = (label: string, value: string | null): Fact[] =>
    value === null || value === '' ? [] : [{ label, value: <span dir="auto">{value}</span> }];
  return [
    { label: 'Payment ID', value: bill.reference },
    {
      label: 'Employee',
      value:
        employee.employeeId === null ? employee.name : `${employee.name}, ${employee.employeeId}`,
    },
    {
      label: 'Amount',
      value: (
        <span className="strong">
          <Money amount={bill.amount} />
        </span>
      ),
    },
    { label: 'Status', value: <Status status={bill.status} /> },
    { label: 'From', value: `${bill.walletName} ••${bill.walletLast4}` },
    { label: 'To', value: `${payee.name} (${PAYEE_KIND_LABELS[payee.kind].toLowerCase()})` },
    { label: 'Routing number', value: groupedDigits(bill.routingNumber) },
    {
      label: 'Account number',
      value: <AccountNumber bill={bill} />,
    },
    ...optional('Their number', payee.customerNumber),
    ...optional('Memo', bill.memo),
    { label: 'Pays on', value: formatDay(bill.payOn, 'date') },
    ...optional('Due', dueOn === null ? null : formatDay(dueOn, 'date')),
    ...optional('Decision', bill.rejectionReason),
    ...optional('Transaction', bill.transactionReference),
    ...leftBankFacts(bill),
    { label: 'Audit', value: <AuditLink thing="payments" subject={bill.id} /> },
  ];
}

/** Masked until it is asked for. Each look is recorded on the server. */
function AccountNumber({ bill: { id, payee } }: { bill: AdminBill }) {
  const reveal = useMutation({
    mutationFn: () => call('adminRevealPayee', { params: { id } }),
    onError: (error) =>
      toast({
        title: 'Account number not shown',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      }),
    gcTime: 0,
  });
  return (
    <>
      <span className="num">{reveal.data?.accountNumber ?? `•••• ${payee.last4}`}</span>,{' '}
      {payee.accountType}{' '}
      {reveal.data === undefined && (
        <TextButton onPress={() => reveal.mutate()}>Show account number</TextButton>
      )}
    </>
  );
}
