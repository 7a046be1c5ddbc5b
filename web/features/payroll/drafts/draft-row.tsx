import { useRef } from 'react';
import type { ClipboardEvent, KeyboardEvent, Ref } from 'react';
import { DEPARTMENTS } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { formatDay, percentChange } from '#web/lib/format.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { lastMinorOf } from './amounts.ts';
import type { DraftPerson } from './amounts.ts';
import type { Wrong } from './draft-work.ts';

interface DraftRowProps {
  index: number;
  person: DraftPerson;
  currency: Currency;
  /** True for the one row that the Tab key reaches. */
  isActive: boolean;
  /** Minor units; null: left out. */
  minor: bigint | null;
  wrong: Wrong | undefined;
  /** Text of the cell while it is edited. */
  typed: string | undefined;
  cell: {
    onFocus: () => void;
    onClick: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onPaste: (event: ClipboardEvent) => void;
  };
  input: InputActs;
  ref: Ref<HTMLTableRowElement>;
}

/** A person with the amounts of the last payroll and of this one. Only the latter is edited. */
export function DraftRow({
  index,
  person,
  currency,
  isActive,
  minor,
  wrong,
  typed,
  cell,
  input,
  ref,
}: DraftRowProps) {
  const last = lastMinorOf(person);
  const label = `This time, ${person.name}`;
  return (
    <tr
      ref={ref}
      data-index={index}
      data-active={isActive ? true : undefined}
      aria-rowindex={index + 2}
      className={classNames(minor !== last && 'is-changed')}
    >
      <td data-narrow="start">
        <span className="admin-employee">
          <Clipped isName>{person.name}</Clipped>
          <span className="id">{person.employeeId}</span>
        </span>
      </td>
      <td className="muted" data-narrow="start-second">
        {DEPARTMENTS[person.department]}
        <span className="narrow"> ••{person.walletLast4}</span>
      </td>
      <td className="muted num" data-narrow="hidden">
        {person.walletLast4 !== null && `••${person.walletLast4}`}
      </td>
      <td className="r muted" data-narrow="hidden">
        {last === null ? <None /> : <Money amount={money(last, currency)} />}
      </td>
      <td className="r cell" data-narrow="end">
        {typed === undefined ? (
          <span
            data-cell
            role="textbox"
            tabIndex={isActive ? 0 : -1}
            aria-label={label}
            aria-invalid={wrong === undefined ? undefined : true}
            aria-describedby={wrong === undefined ? undefined : `${person.id}-problem`}
            {...cell}
          >
            <CellText wrong={wrong} minor={minor} currency={currency} />
          </span>
        ) : (
          <CellInput label={label} text={typed} {...input} />
        )}
        {wrong !== undefined && (
          <span className="cell__tip" id={`${person.id}-problem`}>
            {wrong.problem}
          </span>
        )}
      </td>
      <td className="r" data-narrow="end-second">
        <Difference minor={minor} last={last} currency={currency} />
      </td>
    </tr>
  );
}

function None() {
  return <span className="faint">–</span>;
}

type CellTextProps = Pick<DraftRowProps, 'wrong' | 'minor' | 'currency'>;

function CellText({ wrong, minor, currency }: CellTextProps) {
  if (wrong !== undefined) return wrong.text;
  return minor === null ? <None /> : <Money amount={money(minor, currency)} />;
}

interface InputActs {
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
  /** Called when the focus goes elsewhere than by a key. */
  onLeave: () => void;
}

/** Keys that end the editing by themselves. */
const ENDING = new Set(['Enter', 'Tab', 'Escape', 'ArrowDown', 'ArrowUp']);

function CellInput({
  label,
  text,
  onType,
  onKeyDown,
  onPaste,
  onLeave,
}: InputActs & { label: string; text: string }) {
  const isDone = useRef(false);
  return (
    <input
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      ref={(field) => {
        if (field !== null && document.activeElement !== field) field.focus();
      }}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={(event) => {
        isDone.current = ENDING.has(event.key);
        onKeyDown(event);
      }}
      onPaste={onPaste}
      onBlur={() => {
        if (!isDone.current) onLeave();
      }}
    />
  );
}

interface DifferenceProps {
  minor: bigint | null;
  last: bigint | null;
  currency: Currency;
}

interface ComparedHeadsProps {
  /** Day of the last payroll; null if there was none. */
  lastOn?: string | null;
  /** Class of the column that is typed in. */
  typed?: string;
}

/** Heads of the columns that compare the amounts of a draft with those of the last payroll. */
export function ComparedHeads({ lastOn = null, typed }: ComparedHeadsProps) {
  return (
    <>
      <th scope="col" className="r">
        {lastOn === null ? 'Last time' : `Last time, ${formatDay(lastOn, 'short')}`}
      </th>
      <th scope="col" className={classNames('r', typed)}>
        This time
      </th>
      <th scope="col" className="r">
        Difference
      </th>
    </>
  );
}

/** The signed difference to the last payroll with its percent; a dash without one, "New" without a last payment. */
export function Difference({ minor, last, currency }: DifferenceProps) {
  if (last === null) return minor === null ? <None /> : <Tag>New</Tag>;
  const difference = (minor ?? 0n) - last;
  if (difference === 0n) return <None />;
  return (
    <span className="diff">
      <Money amount={money(difference, currency)} signs="always" />
      <span className="diff__pct num">{percentChange(last, minor ?? 0n)}</span>
    </span>
  );
}
