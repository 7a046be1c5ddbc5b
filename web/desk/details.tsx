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
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { Fact } from '#web/ui/facts.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { FactsOf } from './act-dialog.tsx';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { isFinal, isOpen, labelOf, offeredActs, offersOf } from './acts.ts';
import { capitalized, nounOf, targetOf, type Desk, type DeskRow } from './desk.ts';
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

/** Button of an act, disabled with the reason why the server would refuse it now. */
export function ActButton({ thing, act, one, onAct }: ActButtonProps) {
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
  const { thing, by, payer, reveal } = desk;
  const target = targetOf(desk, one);
  const from = by === undefined ? one.walletName : by(one);
  const to = {
    label: 'To',
    value: (
      <>
        {target}{' '}
        {reveal !== undefined && isOpen(thing, one) && (
          <TextButton onPress={onReveal}>Show bank details</TextButton>
        )}
      </>
    ),
  };
  return (
    <div className="desk-details">
      <AmountHead
        line={from === undefined ? target : `${from} to ${target}`}
        amount={signed(desk, one)}
        status={<Status status={one.status} isFinal={isFinal(thing, one.status)} />}
      />
      <DatedRail label={`${capitalized(nounOf(thing))} progress`} steps={desk.rail(one)} />
      <FactsOf
        desk={desk}
        one={one}
        facts={[...firstFacts(desk, one), ...desk.facts(one, { to })]}
        last={lastFacts(thing, one)}
        isPayer={payer !== undefined}
      />
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

function firstFacts({ by }: Desk, one: DeskRow & Ended): Fact[] {
  const { reference, employee, walletName, walletLast4 } = one;
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
    ...(walletName === undefined || by !== undefined
      ? []
      : [{ label: 'From', value: `${walletName} ••${walletLast4}` }]),
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
function signed({ by }: Desk, { amount }: DeskRow): DeskRow['amount'] {
  return amount === undefined || by !== undefined
    ? amount
    : { ...amount, minor: `-${amount.minor}` };
}
