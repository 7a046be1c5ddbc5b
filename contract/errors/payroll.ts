/** Refusals about payroll, recoveries and usual pay. */
export const PAYROLL_ERRORS = {
  no_employees_in_department: [422, 'No employees found for selected department'],
  no_wallets_of_type: [422, 'No employees have {wallet} accounts'],
  payroll_line_limit: [422, 'A payroll may pay at most {limit} to each employee.'],
  pay_date_past: [422, 'The pay date is over. Choose today or a later day.'],
  payroll_batch_limit: [
    422,
    'This payroll pays {total}. A payroll may pay at most {limit} in all.',
  ],
  funding_wallet_gone: [
    409,
    'This account was closed, or its owner is no longer an employee. Please check it again.',
  ],
  funding_refused: [409, 'The payroll funding of the company cannot pay this.'],
  preview_stale: [
    409,
    'The employees, their accounts or the payrolls sent changed since the preview. Please review it again.',
  ],
  differences_not_acknowledged: [409, 'Check the differences to the last payroll first: {groups}.'],
  payroll_draft_not_found: [404, 'This draft was not found.'],
  payroll_draft_not_open: [409, 'This draft was {status} meanwhile, so it cannot be changed.'],
  payroll_draft_changed: [
    409,
    '{who} has changed this draft in the meantime. Please check it again.',
  ],
  payroll_draft_same_amount: [
    422,
    'Everyone gets the same amount in this draft. Choose each person’s own amount first.',
  ],
  payroll_file_columns: [422, 'Choose the column of {missing}.'],
  payroll_file_errors: [
    422,
    'The file still has {errors}. Correct it, or leave those rows out by name.',
  ],
  payroll_file_absent: [
    422,
    'The last payroll paid {people} whom the file does not name. Choose what becomes of them.',
  ],
  payroll_file_nobody: [422, 'No row of the file has an amount to fill in.'],
  payroll_file_total: [
    422,
    'The amounts of the file add up to {sum}, and the control total is {total}. Nothing was filled in.',
  ],
  payroll_draft_unfinished: [422, 'Enter {what} before you review this payroll.'],
  payroll_not_found: [404, 'This payroll batch was not found.'],
  already_paid: [
    409,
    'Someone was paid in this pay period after you opened this page. Please review what was already paid.',
  ],
  payroll_already_sent: [409, 'This payroll is already being sent, so it cannot be stopped.'],
  payroll_wrong_status: [409, 'This payroll batch is {status}, so this is not possible.'],
  payroll_line_not_found: [404, 'This payment was not found.'],
  payroll_all_paid_otherwise: [
    409,
    'All payments that failed are made by individual fundings. There is nothing to try again.',
  ],
  payroll_line_paid_otherwise: [
    409,
    'This payment is made by {reference} already, so it is not tried again.',
  ],
  payroll_line_wrong_status: [409, 'This payment is {status}, so this is not possible.'],
  payroll_not_completed: [
    409,
    'This payroll is being paid. Payments can be taken back when it is completed.',
  ],
  reversal_unfunded: [
    409,
    'Only {available} of this payment is available, so it cannot be taken back as a whole.',
  ],
  recovery_not_found: [404, 'This recovery was not found.'],
  recovery_wrong_status: [409, 'This recovery is {status}, so this is not possible.'],
  recovery_open: [
    409,
    'A recovery of this payment is proposed or accepted. End it before more is taken back.',
  ],
  recovery_late: [409, 'This could be answered until {day}. Nothing is taken.'],
  recovery_terms: [
    422,
    'Choose an answer day within {days} days, a first day that is not over, and at most {payrolls} instalments.',
  ],

  usual_pay_not_found: [404, 'This change of usual pay was not found.'],
  usual_pay_wrong_status: [409, 'This change is {status}, so this is not possible.'],
  usual_pay_not_paid: [409, 'This person is not paid by payroll now.'],
  usual_pay_waiting: [
    409,
    'A change of this person’s usual pay waits for another administrator. Confirm it or take it back first.',
  ],
  usual_pay_changed: [
    409,
    'This person’s usual pay was changed after you opened this page. Please check it again.',
  ],
  usual_pay_same: [422, 'No amount is changed.'],
  usual_pay_no_wallet: [409, 'This person has no open {wallet}. Open it first.'],
  usual_pay_late: [
    409,
    'The first payday of this change, {day}, is over. Take it back or decline it, and make it again from a later payday.',
  ],
  usual_pay_columns: [422, 'The first line of the file does not name {missing}.'],
  import_columns_twice: [
    422,
    'The first line of the file names {columns} more than once. Delete the columns that do not count.',
  ],
  usual_pay_too_many: [
    422,
    'A file may change the usual pay of at most 10,000 people. Please split it into several.',
  ],
  usual_pay_file_stale: [
    409,
    'Some of these people, their accounts or their pay were changed after the file was checked. Discard it and upload it again.',
  ],
  usual_pay_of_another: [403, 'Only the administrator who made this change takes it back.'],
} as const;
