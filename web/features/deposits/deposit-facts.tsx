import { accountWords } from '#contract/account-formats.ts';
import type { AdminDeposit, RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { known } from '#web/kit/known-fact.tsx';
import { counted, formatDay } from '#web/lib/format.ts';
import type { Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { totalOf } from './check-images.tsx';

type Details = RouteReply<'adminGetDeposit'>;
type Instructions = NonNullable<Details['instructions']>;

/** "ACH transfer to Salary Wallet ••6093" */
export function wayOf({ methodName, walletName, walletLast4 }: AdminDeposit): string {
  return `${methodName} to ${walletName} ••${walletLast4}`;
}

/** Facts of a deposit for an admin: what the owner was asked to do, and who they are. */
export function depositFacts(deposit: Details): Fact[] {
  const { instructions, context, description } = deposit;
  return [
    { label: 'Sends', value: sendsWords(deposit) },
    ...bankFacts(deposit),
    ...(instructions === null
      ? []
      : [{ label: 'Instructions', value: instructionWords(instructions, deposit.methodName) }]),
    ...known('Description', description),
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
  ];
}

/** Facts to compare before money is added: the sum that was to be sent, next to the photographs of a check. */
export function factsBeforeApproval(deposit: Details): Fact[] {
  const { reference, amount, fee, description } = deposit;
  return [
    { label: 'Reference', value: reference },
    ...bankFacts(deposit),
    { label: 'They send', value: <Money amount={totalOf({ amount, fee })} /> },
    { label: 'Fee', value: <Money amount={fee} /> },
    ...known('Description', description),
  ];
}

/** Day on which a statement of the bank has it, or that none has; nothing while none was imported. */
function bankFacts({ atBankOn, isBankKnown }: Details): Fact[] {
  if (!isBankKnown) return [];
  const value =
    atBankOn === null ? (
      <Status status="pending" label="Not on a statement" />
    ) : (
      `On the statement, ${formatDay(atBankOn, 'short')}`
    );
  return [{ label: 'At the bank', value }];
}

/** "$5,025.00, fee $25.00 included" */
function sendsWords(deposit: AdminDeposit): string {
  const total = formatMoney(totalOf(deposit));
  return BigInt(deposit.fee.minor) === 0n
    ? `${total}, no fee`
    : `${total}, fee ${formatMoney(deposit.fee)} included`;
}

/** All instructions that its owner was given, and the company's note. */
function instructionWords(instructions: Instructions, methodName: string): string {
  const { note } = instructions;
  const steps = stepWords(instructions, methodName);
  return note === undefined ? steps : `${steps}. ${note.replaceAll('\n', ' ')}`;
}

function stepWords(instructions: Instructions, methodName: string): string {
  switch (instructions.method) {
    case 'ach':
      return `${methodName} to ${instructions.payTo}, ${numbersOf(instructions.receivingAccount)}, with the reference`;
    case 'wire':
      return `${methodName} to ${instructions.payTo} at ${instructions.bankName}, ${instructions.bankAddress}, ${numbersOf(instructions.receivingAccount)}, with the reference`;
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

type ReceivingAccount = Extract<Instructions, { method: 'ach' }>['receivingAccount'];

/** "routing 084 207 311, account 4400128865", "IBAN DE89 3704 0044 0532 0130 00" */
function numbersOf(account: ReceivingAccount): string {
  if (account === null) return 'an account that was not set up';
  const { routing, number } = accountWords(account);
  const words = (
    { short, shown }: { short: string; shown: (text: string) => string },
    text: string,
  ) => `${short === 'IBAN' ? short : short.toLowerCase()} ${shown(text)}`;
  return [
    ...(routing === null ? [] : [words(routing, account.routingNumber)]),
    words(number, account.accountNumber),
  ].join(', ');
}

/** "11 deposits since 2024, none rejected" */
function historyWords({ approved, since, rejected }: Details['context']): string {
  const refused = rejected === 0 ? 'none rejected' : `${rejected} rejected`;
  if (since === null) {
    return rejected === 0 ? 'Their first deposit' : `No deposit yet, ${refused}`;
  }
  return `${counted(approved, 'deposit')} since ${since}, ${refused}`;
}
