import type { EmployeeStanding } from '#contract/statuses.ts';

export const STANDING_LABELS: Record<EmployeeStanding | 'frozen', string> = {
  active: 'Active',
  invited: 'Invited',
  applicant: 'Waiting to be accepted',
  deactivated: 'Deactivated',
  frozen: 'Payouts frozen',
};
