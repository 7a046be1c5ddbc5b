import type { EmployeeStanding } from '#contract/statuses.ts';

export const STANDING_LABELS: Record<EmployeeStanding | 'frozen' | 'usual_pay', string> = {
  active: 'Active',
  invited: 'Invited',
  applicant: 'Waiting to be accepted',
  deactivated: 'Deactivated',
  frozen: 'Payouts frozen',
  usual_pay: 'Usual pay to confirm',
};
