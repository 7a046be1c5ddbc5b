import type { PayrollFileCheck } from '#contract/api.ts';
import { ABSENT_CHOICES, type AbsentChoice } from '#contract/payroll-file.ts';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { choiceFor, type AbsentChoices, type FileAmountsWork } from './use-file-amounts.ts';

type Absent = PayrollFileCheck['absent'][number];

const WORDS: Readonly<Record<AbsentChoice, string>> = {
  out: 'Leave Out',
  last: 'As Last Time',
  sheet: 'Enter Later',
};

/** Number of people who are not in the file, and have no choice yet. */
export function openAbsent({ counts, absent }: PayrollFileCheck, choices: AbsentChoices): number {
  if (choices.rest !== undefined) return 0;
  return counts.absent - absent.filter(({ id }) => choices.named.has(id)).length;
}

/** Number of those with a choice, and the sum of what the last payroll paid them. */
export function sumOfChoice(
  { counts, absent, absentLast }: PayrollFileCheck,
  choices: AbsentChoices,
  choice: AbsentChoice,
): { people: number; minor: bigint } {
  const isRest = choices.rest === choice;
  const others = absent.filter(({ id }) => (choiceFor(choices, id) === choice) !== isRest);
  const minor = others.reduce((sum, { last }) => sum + BigInt(last.minor), 0n);
  return isRest
    ? { people: counts.absent - others.length, minor: BigInt(absentLast.minor) - minor }
    : { people: others.length, minor };
}

/** People whom the last payroll paid and the file does not name, each with a choice. */
export function AbsentPeople({
  check,
  work: { absent: choices, setAbsent },
}: {
  check: PayrollFileCheck;
  work: Pick<FileAmountsWork, 'absent' | 'setAbsent'>;
}) {
  const { absent, counts, lastOn } = check;
  const more = counts.absent - absent.length;
  const columns: readonly Column<Absent>[] = [
    {
      id: 'name',
      header: 'Not in the file, paid last time',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ name }) => name,
    },
    {
      id: 'employeeId',
      header: 'Employee ID',
      narrow: 'start-second',
      cell: ({ employeeId }) => <span className="muted">{employeeId}</span>,
    },
    {
      id: 'last',
      header: lastOn === null ? 'Last time' : `Last time, ${formatDay(lastOn, 'short')}`,
      align: 'right',
      narrow: 'end',
      cell: ({ last }) => <Money amount={last} />,
    },
    {
      id: 'choice',
      header: 'Choice',
      narrow: 'labelled',
      cell: ({ id, name }) => (
        <Choices
          who={name}
          chosen={choiceFor(choices, id)}
          onChoose={(choice) =>
            setAbsent({ ...choices, named: new Map([...choices.named, [id, choice]]) })
          }
        />
      ),
    },
  ];
  return (
    <div className="import__rows">
      <Table label="Not in the file, paid last time" isDense rows={absent} columns={columns} />
      {counts.absent > 1 && (
        <div className="spread import__foot">
          <p className="meta">
            {more > 0
              ? `The first ${formatCount(absent.length)} of ${counted(counts.absent, 'employee')}.`
              : `${counted(counts.absent, 'employee')}.`}
          </p>
          <Choices
            who={`all ${formatCount(counts.absent)}`}
            chosen={choices.named.size === 0 ? choices.rest : undefined}
            onChoose={(rest) => setAbsent({ named: new Map(), rest })}
          />
        </div>
      )}
    </div>
  );
}

interface ChoicesProps {
  /** A name, or "all 12". */
  who: string;
  chosen: AbsentChoice | undefined;
  onChoose: (choice: AbsentChoice) => void;
}

function Choices({ who, chosen, onChoose }: ChoicesProps) {
  return (
    <span className="import__choices">
      {ABSENT_CHOICES.map((choice) => (
        <Button
          key={choice}
          shape="text"
          aria-label={`${WORDS[choice]}, ${who}`}
          aria-pressed={chosen === choice}
          onPress={() => onChoose(choice)}
        >
          {WORDS[choice]}
        </Button>
      ))}
    </span>
  );
}
