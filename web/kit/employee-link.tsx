import { TextLink } from '#web/ui/link-button.tsx';

interface EmployeeLinkProps {
  employee: { id: string; name: string; employeeId: string | null };
}

/** "Maya Castellanos (EMP0001)", leading to the employee's page in the back office. */
export function EmployeeLink({ employee: { id, name, employeeId } }: EmployeeLinkProps) {
  return (
    <TextLink href={`/admin/employees/${id}`}>
      {name}
      {employeeId !== null && (
        <>
          {' '}
          <span className="person-number">({employeeId})</span>
        </>
      )}
    </TextLink>
  );
}
