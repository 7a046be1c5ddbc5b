import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EmployeePage } from '#contract/api.ts';
import { DEPARTMENTS, DEPARTMENT_IDS, type Department } from '#contract/company.ts';
import { positionRule } from '#contract/people.ts';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { offerUndo } from '#web/kit/undo.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const DEPARTMENT_OPTIONS = DEPARTMENT_IDS.map((value) => ({ value, label: DEPARTMENTS[value] }));

interface ChangePositionProps {
  person: EmployeePage;
  onClose: () => void;
}

/** Changes a person's department and position. Open while mounted. */
export function ChangePosition({ person, onClose }: ChangePositionProps) {
  const queryClient = useQueryClient();
  // Values the admin saw when the form opened. The server refuses the change if they are no longer
  // current.
  const [seen] = useState({ department: person.department, position: person.position });
  return (
    <TaskDialog
      title="Change department and position"
      initial={seen}
      check={(values: { department: Department; position: string }) =>
        checkRules(values, { position: positionRule })
      }
      send={(values) =>
        call('adminChangePosition', { params: { id: person.id }, body: { ...values, seen } })
      }
      topics={['people']}
      onDone={(_, { department, position }) => {
        const now = { department, position: positionRule.clean(position) };
        offerUndo({
          title: 'Employee Changed',
          message: `${person.name}.`,
          tone: 'positive',
          undo: async () => {
            await call('adminChangePosition', {
              params: { id: person.id },
              body: { ...seen, seen: now },
            });
            markStale(queryClient, 'people');
          },
          failed: `${person.name} was not changed back`,
        });
        onClose();
      }}
      submit={{ label: 'Save Change', pending: 'Saving' }}
      onClose={onClose}
    >
      {({ department, position }) => (
        <>
          <p>
            {person.name} <span className="faint">{person.employeeId}</span>
          </p>
          <Select<Department>
            label="Department"
            isRequired
            options={DEPARTMENT_OPTIONS}
            {...department}
          />
          <TextField label="Position" isRequired autoComplete="off" {...position} />
          <p className="meta">
            Takes effect now. Payroll batches that were already drafted do not change.
          </p>
        </>
      )}
    </TaskDialog>
  );
}
