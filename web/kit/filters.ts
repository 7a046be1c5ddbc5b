import { DEPARTMENTS, type Department } from '#contract/company.ts';
import { statusTable, type StatusName } from '#web/ui/status-table.ts';

/** The words of a filter by status, as the table of statuses has them. */
export const STATUS_FILTER = {
  label: 'Status',
  nameOf: (status: StatusName) => statusTable[status].label,
};

/** The words of a filter by department. */
export const DEPARTMENT_FILTER = {
  label: 'Department',
  nameOf: (department: Department) => DEPARTMENTS[department],
};

/** The words of a list of employees. */
export const EMPLOYEE_WORDS = {
  itemNoun: 'employees',
  search: { label: 'Search employees', placeholder: 'Search name, email or department' },
  none: { title: 'No employees yet', hint: 'New employees appear here.' },
  noMatch: 'No employees found',
};
