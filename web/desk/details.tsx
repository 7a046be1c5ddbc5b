import { useQuery } from '@tanstack/react-query';
import type { Withdrawal } from '#contract/api.ts';
import { auditThingOf } from '#contract/audit.ts';
import type { Thing } from '#contract/things/thing.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { known } from '#web/kit/known-fact.tsx';
import { leftBankFacts } from '#web/kit/left-bank-facts.tsx';
import { EmployeeLink } from '#web/kit/employee-link.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { FrozenPayouts, payoutFacts } from '#web/kit/payout-facts.tsx';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { labelOf } from './act-dialog.tsx';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { isFinal, isOpen, offeredActs, offersOf } from './acts.ts';
import { nounOf, type Desk, type DeskRow } from './desk.ts';
import { readOne } from './read-one.ts';
import { useReadWhenPayable } from './payable.ts';
import './desk.css';

const NONE: readonly DeskRow[] = [];

interface DetailsProps {
  desk: Desk;
  id: string;
  onClose: () => void;
  /** Shows the whole account number that it is paid to. */
  onReveal: () => void;
  onAct: (act: string, one: DeskRow) => void;
}

/** One thing in full: its amount, how far it is, its facts, and every act that its status allows. */
export function Details({ desk, id, onClose, onReveal, onAct }: DetailsProps) {
  const { thing } = desk;
  const noun = nounOf(thing);
  const query = useQuery(readOne(desk, id));
  const one = query.data;
  useReadWhenPayable(thing, one === undefined ? NONE : [one]);
  return (
    <Dialog
      title={`${capitalized(noun)} details`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Close</Button>
          {one !== undefined &&
            offeredActs(thing)
              .filter((act) => isLegal(one, act))
              .map((act) => <ActButton key={act} {...{ thing, act, one, onAct }} />)}
        </>
      }
    >
      <LoadedQuery query={query} what={`the ${noun}`} lines={10}>
        {(loaded) => <Parts desk={desk} one={loaded} onReveal={onReveal} />}
      </LoadedQuery>
    </Dialog>
  );
}

interface ActButtonProps {
  thing: Thing;
  act: string;
  one: DeskRow;
  onAct: DetailsProps['onAct'];
}

function ActButton({ thing, act, one, onAct }: ActButtonProps) {
  const offer = offersOf(thing)[act];
  return (
    offer !== undefined && (
      <Button kind={offer.kind} why={refusalOf(one, act)} onPress={() => onAct(act, one)}>
        {labelOf(offer, one)}
      </Button>
    )
  );
}

interface PartsProps {
  desk: Desk;
  one: DeskRow;
  onReveal: () => void;
}

/** The parts of the details, in the one order that they have in every desk. */
function Parts({ desk, one, onReveal }: PartsProps) {
  const { thing, reveal } = desk;
  const payer = desk.payer?.(one);
  const bankDetails = reveal !== undefined && isOpen(thing, one) && (
    <TextButton onPress={onReveal}>Show bank details</TextButton>
  );
  return (
    <div className="desk-details">
      <AmountHead
        line={desk.line(one)}
        amount={signed(thing, one)}
        status={<Status status={one.status} isFinal={isFinal(thing, one.status)} />}
      />
      <DatedRail label={`${capitalized(nounOf(thing))} progress`} steps={desk.rail(one)} />
      <Facts
        isTight
        facts={[
          ...firstFacts(one),
          ...desk.facts(one, { bankDetails }),
          ...(payer === undefined ? [] : payoutFacts(payer)),
          ...lastFacts(thing, one),
        ]}
      />
      <div>
        {desk.below?.(one)}
        {payer !== undefined && <FrozenPayouts context={payer.context} />}
      </div>
    </div>
  );
}

/** Fields that some things have. */
type Ended = Partial<
  Pick<
    Withdrawal,
    'reference' | 'rejectionReason' | 'transactionReference' | 'leftBankOn' | 'bankReference'
  >
>;

function firstFacts(one: DeskRow & Ended): Fact[] {
  const { reference, employee } = one;
  return [
    ...(reference === undefined
      ? []
      : [
          {
            label: 'Reference',
            value: reference,
            action: <CopyValue label="Copy reference" value={reference} />,
          },
        ]),
    {
      label: 'Employee',
      value: <EmployeeLink employee={employee} />,
    },
  ];
}

function lastFacts(thing: Thing, one: DeskRow & Ended): Fact[] {
  const { rejectionReason, transactionReference, leftBankOn = null, bankReference = null } = one;
  return [
    ...known('Decision', rejectionReason),
    ...known('Transaction', transactionReference),
    ...leftBankFacts({ leftBankOn, bankReference }),
    { label: 'Audit', value: <AuditLink thing={auditThingOf(thing.name)} subject={one.id} /> },
  ];
}

/** Its amount with a minus where it leaves a wallet. */
function signed({ acts }: Thing, { amount }: DeskRow): DeskRow['amount'] {
  const isReceived = Object.values(acts).some(({ offer }) => offer?.bulk?.isReceived === true);
  return amount === undefined || isReceived ? amount : { ...amount, minor: `-${amount.minor}` };
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
