import { personLabel } from '#web/lib/person-label.ts';
import { TextLink } from '#web/ui/link-button.tsx';

interface EmployeeLinkProps {
  employee: { id: string; name: string; employeeId: string | null };
}

/** "Maya Castellanos (EMP0001)", leading to the employee's page in the back office. */
export function EmployeeLink({ employee }: EmployeeLinkProps) {
  return <TextLink href={`/admin/employees/${employee.id}`}>{personLabel(employee)}</TextLink>;
}
