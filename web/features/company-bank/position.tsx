import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import type { ReactNode } from 'react';
import { counted, formatDay } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import './company-bank.css';

type BankPosition = RouteReply<'adminGetBankPosition'>;

/**
 * One sentence about what is at the bank, and the figures that sum to the difference.
 *
 * @param items number of items on their way, where they are listed under it
 */
export function Position({ position, items }: { position: BankPosition; items?: number }) {
  const { atBank, onItsWay, owed, difference, openLines } = position;
  return (
    <>
      <Sentence position={position} />
      <dl className="position" aria-label="Position">
        <Figure
          name="At the bank"
          figure={atBank && <Money amount={atBank.amount} />}
          note={
            atBank === null
              ? 'No statement yet'
              : `Statement of ${formatDay(atBank.day, 'short')}, close of day`
          }
        />
        <Figure
          sign="+"
          name="On its way"
          figure={onItsWay && <Money amount={onItsWay} />}
          note={
            onItsWay === null
              ? ''
              : items === undefined
                ? 'Each item is on Company Bank'
                : `${counted(items, 'item')}, each with a name`
          }
        />
        <Figure
          sign="−"
          name="Owed to employees"
          figure={<Money amount={owed.amount} />}
          note={
            <>
              {counted(owed.wallets, 'wallet')}, <Time at={owed.at} as="dateTime" />
            </>
          }
        />
        <Figure
          sign="="
          name="Difference"
          figure={difference && <Money amount={difference} signs="always" />}
          look={difference?.minor === '0' && openLines === 0 ? 'even' : 'total'}
          note={<DifferenceStatus position={position} />}
        />
      </dl>
    </>
  );
}

function Sentence({ position: { difference, openLines } }: { position: BankPosition }) {
  if (difference === null) {
    return (
      <p className="bank-say">
        <strong>Purser does not know yet what is at the bank.</strong> Import the first statement
        and it will say so every day.
      </p>
    );
  }
  if (openLines === 0 && difference.minor === '0') {
    return (
      <p className="bank-say">
        <strong>All of it is there.</strong> What is owed to employees is at the bank or on its way,
        to the cent.
      </p>
    );
  }
  const of = openLines === 1 ? '1 line has no match.' : `${openLines} lines have no match.`;
  return (
    <p className="bank-say">
      <strong>
        {difference.minor === '0'
          ? 'The sums agree, but not each line is explained yet.'
          : `${formatMoney(difference, 'never')} ${difference.minor.startsWith('-') ? 'is missing at the bank.' : 'at the bank is not explained yet.'}`}
      </strong>{' '}
      {of}
    </p>
  );
}

function DifferenceStatus({ position: { difference, openLines } }: { position: BankPosition }) {
  if (difference === null) return <Status status="not_started" label="Not known" />;
  if (openLines > 0) {
    return <Status status="pending" label={`${counted(openLines, 'line')} to match`} />;
  }
  return difference.minor === '0' ? (
    <Status status="completed" label="Nothing unexplained" />
  ) : (
    <Status status="failed" label="Does not agree" />
  );
}

interface FigureProps {
  name: string;
  /** Sign before it, for people who see it. */
  sign?: string;
  /** Null where it is not known. */
  figure: ReactNode;
  look?: 'total' | 'even';
  note: ReactNode;
}

function Figure({ name, sign, figure, look, note }: FigureProps) {
  const isKnown = figure !== null;
  const looks = [
    'position__figure',
    ...(isKnown ? [] : ['position__figure--unknown']),
    ...(isKnown && look !== undefined ? ['position__figure--total'] : []),
    ...(isKnown && look === 'even' ? ['position__figure--even'] : []),
  ];
  return (
    <div>
      {sign !== undefined && (
        <span className="position__op" aria-hidden="true">
          {sign}
        </span>
      )}
      <dt>{name}</dt>
      <dd>
        <span className={looks.join(' ')}>{isKnown ? figure : 'Not known'}</span>
        <span className="meta num">{note}</span>
      </dd>
    </div>
  );
}
