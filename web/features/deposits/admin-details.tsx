import { useQuery } from '@tanstack/react-query';
import type { AdminDeposit, RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { personLabel } from '#web/lib/person-label.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Status } from '#web/ui/status.tsx';
import { isOpen, wayOf } from './admin-columns.tsx';
import { CheckImages, totalOf } from './check-images.tsx';
import { DECISIONS, DECISION_NAMES, type Deciding } from './deposit-decision.tsx';
import { DepositHead } from './deposit-head.tsx';
import { adminDepositRail } from './deposit-rail.ts';

type Details = RouteReply<'adminGetDeposit'>;

interface AdminDepositDetailsProps {
  id: string;
  onClose: () => void;
  onDecide: (deciding: Deciding) => void;
}

/** One deposit in full: how far it is, what its owner was asked to do, and who they are. */
export function AdminDepositDetails({ id, onClose, onDecide }: AdminDepositDetailsProps) {
  const query = useQuery(apiQuery('adminGetDeposit', { params: { id } }));
  const deposit = query.data;
  return (
    <Dialog
      title="Deposit details"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Close</Button>
          {deposit !== undefined &&
            isOpen(deposit) &&
            DECISION_NAMES.map((decision) => (
              <Button
                key={decision}
                kind={DECISIONS[decision].kind}
                onPress={() => onDecide({ decision, deposit })}
              >
                {decision === 'approve'
                  ? `${DECISIONS[decision].label} ${formatMoney(deposit.amount)}`
                  : DECISIONS[decision].label}
              </Button>
            ))}
        </>
      }
    >
      {query.isPending && <Skeleton lines={10} label="Loading the deposit" />}
      {query.isError && <QueryError query={query} title="Failed to load the deposit" />}
      {deposit !== undefined && (
        <div className="deposit">
          <DepositHead line={wayOf(deposit)} amount={deposit.amount} status={deposit.status} />
          <DatedRail label="Deposit progress" steps={adminDepositRail(deposit)} />
          <Facts isTight facts={factsOf(deposit)} />
          <CheckImages images={deposit.images} />
        </div>
      )}
    </Dialog>
  );
}

function factsOf(deposit: Details): Fact[] {
  const { reference, employee, instructions, context, description } = deposit;
  return [
    {
      label: 'Reference',
      value: reference,
      action: <CopyValue label="Copy reference" value={reference} />,
    },
    {
      label: 'Employee',
      value: <TextLink href={`/admin/employees/${employee.id}`}>{personLabel(employee)}</TextLink>,
    },
    { label: 'Sends', value: sendsWords(deposit) },
    ...(instructions === null
      ? []
      : [{ label: 'Instructions', value: instructionWords(instructions) }]),
    ...(description === '' ? [] : [{ label: 'Description', value: description }]),
    {
      label: 'Identity',
      value: context.isIdentityApproved ? (
        <Status status="approved" isFinal />
      ) : (
        <Status status="pending" label="Not approved" />
      ),
    },
    { label: 'History', value: historyWords(context) },
    ...(context.isDeactivated ? [{ label: 'Account', value: 'Deactivated' }] : []),
    ...(context.isAccepted ? [] : [{ label: 'Account', value: 'Not accepted yet' }]),
    {
      label: 'Audit',
      value: <AuditLink thing="deposits" subject={deposit.id} />,
    },
  ];
}

/** "$5,025.00, fee $25.00 included" */
function sendsWords(deposit: AdminDeposit): string {
  const total = formatMoney(totalOf(deposit));
  return BigInt(deposit.fee.minor) === 0n
    ? `${total}, no fee`
    : `${total}, fee ${formatMoney(deposit.fee)} included`;
}

/** What its owner was asked to do, all of it, and the company's note. */
function instructionWords(instructions: NonNullable<Details['instructions']>): string {
  const { note } = instructions;
  const steps = stepWords(instructions);
  return note === undefined ? steps : `${steps}. ${note.replaceAll('\n', ' ')}`;
}

function stepWords(instructions: NonNullable<Details['instructions']>): string {
  switch (instructions.method) {
    case 'ach':
      return `ACH to ${instructions.payTo}, ${accountWords(instructions.receivingAccount)}, with the reference`;
    case 'wire':
      return `Wire to ${instructions.payTo} at ${instructions.bankName}, ${instructions.bankAddress}, ${accountWords(instructions.receivingAccount)}, with the reference`;
    case 'card':
      return `Pay on the page of ${instructions.chargedBy}: ${instructions.paymentPage}`;
    case 'mobile_check':
      return `Photograph a check payable to ${instructions.payTo}`;
    case 'physical_check':
      return `Mail a check payable to ${instructions.payTo} to ${instructions.mailTo.replaceAll('\n', ', ')}`;
    case 'secure_transfer':
      return `Call about it, ${instructions.phone}`;
  }
}

type ReceivingAccount = Extract<
  NonNullable<Details['instructions']>,
  { method: 'ach' }
>['receivingAccount'];

function accountWords(account: ReceivingAccount): string {
  if (account === null) return 'an account that was not set up';
  return `routing ${account.routingNumber}, account ${account.accountNumber}`;
}

/** "11 deposits since 2024, none rejected" */
function historyWords({ approved, since, rejected }: Details['context']): string {
  const refused = rejected === 0 ? 'none rejected' : `${rejected} rejected`;
  if (since === null) {
    return rejected === 0 ? 'Their first deposit' : `No deposit yet, ${refused}`;
  }
  return `${counted(approved, 'deposit')} since ${since}, ${refused}`;
}
