import { useMemo } from 'react';
import type { FundableEmployee } from '#contract/api.ts';
import { CHOSEN_PEOPLE } from '#contract/limits.ts';
import { fundableList } from '#contract/lists.ts';
import { departmentColumn } from '#web/kit/columns/text.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { DEPARTMENT_FILTER, EMPLOYEE_WORDS } from '#web/kit/filters.ts';
import { ListPage } from '#web/kit/list-page.tsx';
import { useDialogList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface ChoosePeopleProps {
  /** People who are chosen already, by id. */
  taken: ReadonlySet<string>;
  isPending?: boolean;
  onClose: () => void;
  onChosen: (ids: string[]) => void;
}

const WORDS = { ...EMPLOYEE_WORDS, label: 'Employees to choose from' };
const FILTERS = { department: DEPARTMENT_FILTER };
const MOST_NAMED = 5;

/** Dialog in which the people of a payroll are chosen by name. Who was chosen stays so while others are searched. */
export function ChoosePeople({ taken, isPending = false, onClose, onChosen }: ChoosePeopleProps) {
  const list = useDialogList(fundableList);
  const selection = useSelection(
    list.paged.rows,
    ({ id }) => id,
    ({ id }) => !taken.has(id),
  );
  const columns = useMemo(
    () => [
      { ...selectionColumn<FundableEmployee>(({ name }) => name), narrow: 'end' as const },
      personColumn<FundableEmployee>({ narrow: 'start', person: (employee) => employee }),
      departmentColumn<FundableEmployee>(),
    ],
    [],
  );
  const { rows: chosen } = selection;
  const count = chosen.length;
  return (
    <Dialog
      title="Choose People"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="solid"
            isPending={isPending}
            pendingLabel="Adding"
            why={whyNot(count, taken.size)}
            onPress={() => onChosen(chosen.map(({ id }) => id))}
          >
            {count === 0 ? 'Add People' : `Add ${peopleWords(count)}`}
          </Button>
        </>
      }
    >
      <p className="muted mb-3" role="status">
        {count === 0 ? 'Nobody is chosen yet.' : `${namesOf(chosen)} will be added.`}
      </p>
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={columns}
        selection={selection}
        hidesSinglePage
      />
    </Dialog>
  );
}

function whyNot(count: number, taken: number): string | undefined {
  if (count === 0) return 'Select at least one person';
  return count + taken > CHOSEN_PEOPLE
    ? `At most ${formatCount(CHOSEN_PEOPLE)} people can be chosen by name`
    : undefined;
}

function peopleWords(count: number): string {
  return count === 1 ? '1 Person' : `${formatCount(count)} People`;
}

/** "Ada Abbott, Bela Abbott and 3 more" */
function namesOf(people: readonly FundableEmployee[]): string {
  const named = people.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = people.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${formatCount(more)} more`;
}
