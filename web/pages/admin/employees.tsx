import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Employee } from '#contract/api.ts';
import { employeeList } from '#contract/lists.ts';
import { AddEmployee } from '#web/features/employees/add-employee.tsx';
import { ApplicantsWaiting } from '#web/features/employees/applicants-waiting.tsx';
import { BulkPeople, type BulkPeopleAct } from '#web/features/employees/bulk-people.tsx';
import { directoryColumns } from '#web/features/employees/directory-columns.tsx';
import { PersonDecision, type DecisionName } from '#web/features/employees/person-decision.tsx';
import { SelectedLinks } from '#web/features/employees/selected-links.tsx';
import { ResendLink } from '#web/features/employees/person-links.tsx';
import { STANDING_LABELS } from '#web/features/employees/standing.ts';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { OwedTotal } from '#web/features/wallets/owed-total.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import { STATUS_FILTER, DEPARTMENT_FILTER, EMPLOYEE_WORDS } from '#web/kit/filters.ts';
import { useList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import '#web/features/employees/employees.css';

const WORDS = { ...EMPLOYEE_WORDS, label: 'Employees' };

const FILTERS = {
  department: DEPARTMENT_FILTER,
  kyc: { ...STATUS_FILTER, label: 'KYC Status' },
  standing: {
    label: 'Status',
    nameOf: (standing: keyof typeof STANDING_LABELS) => STANDING_LABELS[standing],
  },
};

/** `/admin/employees` */
export function EmployeesPage() {
  const { data: session } = useSession();
  const list = useList(employeeList);
  const navigate = useNavigate({ from: '/admin/employees' });
  const { task } = useSearch({ from: '/admin/admin/employees' });
  const [deciding, setDeciding] = useState<{ decision: DecisionName; person: Employee }>();
  const [bulk, setBulk] = useState<BulkPeopleAct>();
  const selection = useSelection(
    list.paged.rows,
    ({ id }) => id,
    () => true,
  );
  const [linking, setLinking] = useState<Employee>();
  const setAdding = (isAdding: boolean) =>
    void navigate({
      search: ({ task: _, ...view }) => (isAdding ? { ...view, task: 'add' } : view),
      resetScroll: false,
    });
  const columns = useMemo(
    () =>
      directoryColumns({
        onOpen: ({ id }) => void navigate({ to: '/admin/employees/$id', params: { id } }),
        onLink: setLinking,
        onDecide: (decision, person) => setDeciding({ decision, person }),
      }),
    [navigate],
  );
  const isOfApplicants = list.address.standing === 'applicant';
  return (
    <div className="directory">
      <ScreenHead
        actions={
          <>
            <LinkButton href="/admin/employees/usual-pay">Import Usual Pay</LinkButton>
            <LinkButton href="/admin/employees/import">
              <Icon of={Upload} size={16} />
              Import CSV
            </LinkButton>
            <Button kind="solid" onPress={() => setAdding(true)}>
              Add Employee
            </Button>
          </>
        }
      />
      <OwedTotal />
      {!isOfApplicants && (
        <ApplicantsWaiting onShow={() => list.change({ standing: 'applicant' })} />
      )}
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={columns}
        selection={selection}
        below={
          <SelectionBar state={list} selection={selection}>
            <Button onPress={() => setBulk('deactivate')}>Deactivate</Button>
            <SelectedLinks people={selection.rows} isMailed={session?.confirmsEmail === true} />
            <Button onPress={() => setBulk('identity')}>Ask for Identity Check</Button>
            <Button kind="solid" onPress={() => setBulk('department')}>
              Change Department
            </Button>
          </SelectionBar>
        }
      />
      {bulk !== undefined && (
        <BulkPeople
          act={bulk}
          people={selection.rows}
          onClose={() => {
            setBulk(undefined);
            selection.clear();
          }}
        />
      )}
      {deciding !== undefined && (
        <PersonDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
      {linking !== undefined && (
        <ResendLink person={linking} onClose={() => setLinking(undefined)} />
      )}
      {task === 'add' && <AddEmployee onClose={() => setAdding(false)} />}
    </div>
  );
}
