import { useState, type ReactNode } from 'react';
import type { Employee } from '#contract/api.ts';
import { DEPARTMENTS, DEPARTMENT_IDS, type Department } from '#contract/company.ts';
import { money, type Money as Amount } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import {
  BulkResults,
  useBulk,
  type Bulk,
  type BulkAct,
  type BulkWords,
} from '#web/kit/bulk-act.tsx';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { counted } from '#web/lib/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { ReasonDialog } from '#web/kit/reason-dialog.tsx';
import { Select } from '#web/ui/select.tsx';

export type BulkPeopleAct = 'department' | 'deactivate' | 'identity';

const WORDS: Record<BulkPeopleAct, BulkWords> = {
  department: {
    noun: 'employee',
    verb: 'change',
    done: 'changed',
    status: 'completed',
    label: 'Changed',
  },
  deactivate: {
    noun: 'employee',
    verb: 'deactivate',
    done: 'deactivated',
    status: 'completed',
    label: 'Deactivated',
  },
  identity: { noun: 'employee', verb: 'ask', done: 'asked', status: 'completed', label: 'Asked' },
};

/** Labels for the line that shows the progress of an act running in the background. */
const LABELS: Record<BulkPeopleAct, string> = {
  department: 'Changing departments',
  deactivate: 'Deactivating employees',
  identity: 'Asking for identity checks',
};

interface BulkPeopleProps {
  act: BulkPeopleAct;
  people: readonly Employee[];
  onClose: () => void;
}

/** Does the same act to several employees, one by one, and reports the result for each. */
export function BulkPeople({ act, people, onClose }: BulkPeopleProps) {
  // People selected when the dialog opened. The list behind it may change while it is open.
  const [items] = useState(people);
  const bulk = useBulk<Employee, string>({
    items,
    idOf: ({ id }) => id,
    send: (person, input, options) => {
      const params = { id: person.id };
      switch (act) {
        case 'department': {
          const { department, position } = person;
          const body = {
            department: asDepartment(input),
            position,
            seen: { department, position },
          };
          return call('adminChangePosition', { params, body }, options);
        }
        case 'deactivate':
          return call('adminDeactivatePerson', { params, body: { reason: input } }, options);
        case 'identity':
          return call('adminAskForIdentity', { params }, options);
      }
    },
    topics: ['people'],
    label: LABELS[act],
    drawResults: (done, close) => <Results act={act} bulk={done} onClose={close} />,
  });
  if (bulk.isOver) return <Results act={act} bulk={bulk} onClose={onClose} />;
  const Question = QUESTIONS[act];
  return <Question bulk={bulk} onClose={onClose} />;
}

interface ResultsProps {
  act: BulkPeopleAct;
  bulk: BulkAct<Employee>;
  onClose: () => void;
}

function Results({ act, bulk, onClose }: ResultsProps) {
  return (
    <BulkResults
      bulk={bulk}
      words={WORDS[act]}
      name={{
        id: 'employee',
        header: 'Employee',
        isRowHeader: true,
        cell: ({ name }) => name,
      }}
      onClose={onClose}
    />
  );
}

const BACKGROUND = 'Continue in the Background';

interface QuestionProps {
  bulk: Bulk<Employee, string>;
  onClose: () => void;
}

const QUESTIONS: Record<BulkPeopleAct, (props: QuestionProps) => ReactNode> = {
  department: DepartmentQuestion,
  deactivate: DeactivateQuestion,
  identity: IdentityQuestion,
};

function DepartmentQuestion({ bulk, onClose }: QuestionProps) {
  const state = useFormState<{ department: string }>({
    initial: { department: '' },
    check: ({ department }) => ({
      department: department === '' ? 'Choose a department' : undefined,
    }),
  });
  return (
    <FormDialog
      cancel={bulk.isRunning ? BACKGROUND : 'Cancel'}
      title={`Change the department of ${counted(bulk.items.length, 'employee')}`}
      state={state}
      task={{ submit: ({ department }) => bulk.start(department), isPending: bulk.isRunning }}
      submit={{ label: 'Change Department', pending: bulk.turnWords('Changing') }}
      onClose={onClose}
    >
      {({ department }) => (
        <>
          <p>{namesOf(bulk.items)}</p>
          <Select
            label="Department"
            isRequired
            placeholder="Choose a department"
            options={DEPARTMENT_IDS.map((value) => ({ value, label: DEPARTMENTS[value] }))}
            {...department}
          />
          <p className="meta">
            Takes effect now. Payroll batches that were already drafted do not change.
          </p>
        </>
      )}
    </FormDialog>
  );
}

function DeactivateQuestion({ bulk, onClose }: QuestionProps) {
  const people = counted(bulk.items.length, 'employee');
  return (
    <ReasonDialog
      title={`Deactivate ${people}`}
      keepLabel={bulk.isRunning ? BACKGROUND : 'Keep Active'}
      confirmLabel={`Deactivate ${counted(bulk.items.length, 'Employee')}`}
      emptyHint="Enter a reason to deactivate."
      isPending={bulk.isRunning}
      pendingLabel={bulk.turnWords('Deactivating')}
      onClose={onClose}
      onConfirm={bulk.start}
    >
      {namesOf(bulk.items)} They are signed out and left out of payroll.{' '}
      <Money amount={balanceOf(bulk.items)} /> is in their wallets. This money stays theirs, and so
      does what is on its way. You can pay out each balance from the person’s page. You can undo
      this at any time; for an administrator, another one has to accept it.
    </ReasonDialog>
  );
}

/** Sum of these people's wallets. */
function balanceOf(people: readonly Employee[]): Amount {
  const minor = people.reduce((sum, { balance }) => sum + BigInt(balance.minor), 0n);
  return money(minor, people[0]?.balance.currency ?? 'USD');
}

function IdentityQuestion({ bulk, onClose }: QuestionProps) {
  return (
    <ConfirmDialog
      title={`Ask ${counted(bulk.items.length, 'employee')} for an identity check?`}
      kind="solid"
      keepLabel={bulk.isRunning ? BACKGROUND : 'Cancel'}
      confirmLabel={`Ask ${counted(bulk.items.length, 'Employee')}`}
      isPending={bulk.isRunning}
      pendingLabel={bulk.turnWords('Asking')}
      onClose={onClose}
      onConfirm={() => bulk.start('')}
    >
      <p>{namesOf(bulk.items)}</p>
      <p className="meta mt-4">
        Each person is notified. People whose identity is in review or approved, or who were asked
        in the last day, are left out.
      </p>
    </ConfirmDialog>
  );
}

function asDepartment(value: string): Department {
  const known = DEPARTMENT_IDS.find((id) => id === value);
  if (known === undefined) throw new Error('The check lets no empty choice through');
  return known;
}

/** Names that fit on two lines, then the number of people not named. */
function namesOf(people: readonly Employee[]): string {
  const shown = 4;
  const names = people
    .slice(0, shown)
    .map(({ name }) => name)
    .join(', ');
  const more = people.length - shown;
  return more > 0 ? `${names} and ${more} more.` : `${names}.`;
}
