/**
 * Every refusal the API knows: its HTTP status and its sentence. The sentence is what a person
 * reads. A `{name}` in it is filled from the error's details.
 */
export const ERRORS = {
  // Anyone, anywhere
  invalid_request: [422, 'Please check the highlighted fields.'],
  malformed_request: [400, 'The server could not read the request.'],
  body_too_large: [413, 'The request is too large.'],
  not_found: [404, 'Not found.'],
  method_not_allowed: [405, 'This address does not support that method.'],
  unauthenticated: [401, 'User not authenticated'],
  other_person: [
    409,
    'Someone else has signed in with this browser since this page was opened. Nothing was changed.',
  ],
  api_key_invalid: [401, 'This API key does not work: it is wrong, has expired or was revoked.'],
  api_key_refused: [403, 'This API key may not do this.'],
  forbidden: [403, 'You do not have access to this.'],
  origin_refused: [403, 'The request came from another site.'],
  too_many_requests: [429, 'Too many attempts. Please try again in {wait}.'],
  too_many_reads: [429, 'Too many requests within a minute. Please try again in {wait}.'],
  hourly_limit: [429, 'You have done this too often in the last hour. Please try again in {wait}.'],
  unavailable: [503, 'The service is not available right now. Please try again.'],
  internal: [500, 'Something went wrong on our side. Nothing was changed.'],
  idempotency_key_required: [400, 'Money requests need an Idempotency-Key header.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for a different request.'],
  conflict: [409, 'This was changed by someone else. Please check it again.'],

  data_destroyed: [410, 'This was destroyed at the end of its retention period.'],

  // Identity
  invalid_credentials: [401, 'Invalid login credentials'],
  email_not_confirmed: [403, 'Email not confirmed'],
  account_exists: [409, 'User already registered'],
  account_deactivated: [
    403,
    'This account is deactivated. Ask your administrator for a link to your payslips.',
  ],
  passwords_too_weak: [422, 'Password is too weak.'],
  invalid_password: [422, 'Invalid password'],
  link_invalid: [410, 'This link is no longer valid. Please ask for a new one.'],
  invite_invalid: [410, 'Please check your token and try again.'],
  invite_other_email: [403, 'This invite was made for another email address.'],
  code_invalid: [422, 'That code is not right. Wait for the next one, then try again.'],
  sign_in_expired: [410, 'This sign-in took too long. Please sign in again.'],
  no_email_change: [409, 'You have no pending change of your email address.'],
  passkey_refused: [
    422,
    'That passkey could not be used. Please try again, or sign in another way.',
  ],
  passkey_expired: [410, 'This took too long or was done already. Please try again.'],
  passkeys_full: [409, 'You have {most} passkeys already. Please remove one first.'],
  two_factor_is_on: [409, 'Two-factor is already on.'],
  two_factor_is_off: [409, 'Two-factor is off.'],
  two_factor_required: [403, 'Your company requires two-factor. Please set it up first.'],
  confirmation_needed: [403, 'Please confirm that it is you.'],
  last_session: [409, 'This is the session you are using. Sign out instead.'],

  sign_up_closed: [
    403,
    'Only people an administrator added can join. Please ask your administrator.',
  ],
  sign_up_other_domain: [403, 'Please sign up with your address at the company.'],

  mail_not_stopped: [404, 'Mail to this address is no longer stopped.'],
  calendar_feed_not_found: [404, 'You have no calendar address.'],

  // People
  person_not_found: [404, 'This person was not found.'],
  person_wrong_standing: [409, 'This person is {status}, so this cannot be done.'],
  name_unchanged: [409, 'This is already their name.'],
  address_unchanged: [409, 'This is already their address.'],
  person_still_here: [409, 'This is possible only for a person who left. Deactivate them first.'],
  second_person_needed: [403, 'Someone else must do this, because {did}. {who}'],
  two_admins_needed: [409, 'Two active administrators are needed before duties can be separated.'],
  more_admins_needed: [
    409,
    'These approvals together need {needed} active administrators, and there are {active}. With fewer, nobody could do the last step.',
  ],
  cannot_invite_yet: [
    403,
    'You cannot invite administrators until {until}, because you became one or your sign-in was reset less than {hours} hours ago.',
  ],
  invite_not_found: [404, 'This invite was not found.'],
  invite_not_waiting: [409, 'This invite is {status} and cannot be revoked.'],
  api_key_not_found: [404, 'This API key was not found.'],
  api_key_not_active: [409, 'This API key is {status} and cannot be revoked.'],
  api_key_limit_needed: [422, 'A key that sends money needs the most that it sends in a day.'],
  api_key_daily_limit: [
    403,
    'This exceeds the daily limit of {limit} of this API key. An administrator can send it.',
  ],
  added_by_this_key: [
    403,
    'This API key added people whom this pays less than {hours} hours ago. It can pay them {from}. An administrator can pay them now.',
  ],
  webhook_not_found: [404, 'This webhook was not found.'],
  too_many_webhooks: [409, 'There are {most} webhooks already. Remove one first.'],
  webhook_delivery_not_found: [404, 'This delivery was not found.'],
  webhook_delivery_waiting: [409, 'This delivery is already waiting to be sent.'],
  settings_changed: [409, '{who} has changed {what} in the meantime. Please check it again.'],
  currency_stays: [
    409,
    'The first account has been opened in the company’s currency, so the currency can no longer change. Nothing was changed.',
  ],
  setup_ended: [409, '{who} has ended the set-up. You can change everything in Settings.'],
  proposal_not_found: [404, 'This proposal is no longer waiting.'],
  email_taken: [409, 'Someone with this email address already exists. Search for it.'],
  identity_not_awaited: [409, 'Their identity is {status}, so no check is needed.'],
  identity_asked_already: [409, 'They were already asked in the last 24 hours.'],
  saved_view_not_found: [404, 'This view no longer exists.'],
  saved_view_limit: [409, 'You have {most} saved views already. Delete one first.'],
  saved_view_name_taken: [409, 'You already have a view with this name in this list.'],
  import_not_found: [404, 'This import no longer exists.'],
  import_wrong_status: [409, 'This import is now {status}. Please check it again.'],
  import_in_progress: [
    409,
    '{who} is already importing {file}. Only one file can be imported at a time.',
  ],
  import_nothing_ready: [422, 'No row of this file can be imported.'],
  import_too_large: [413, 'The file is larger than 25 MB. Please split it into several.'],
  import_too_many_rows: [
    422,
    'The file has more than 100,000 rows, or more than a million empty lines. Please split it into several, or delete the empty lines.',
  ],
  import_not_text: [422, 'This is not a CSV file. Save the sheet as “CSV UTF-8” and choose that.'],
  import_unreadable: [422, 'Line {line} cannot be read: {why}. Nothing was imported.'],
  import_no_header: [
    422,
    'The first line has to name the columns, such as Employee ID, Email or Full Name.',
  ],
  statement_unreadable: [422, '{place}: {why}. Nothing was imported.'],
  statement_too_large: [
    413,
    'The file is larger than 10 MB or has more than 50,000 lines. Please choose a shorter period.',
  ],
  statement_other_account: [
    422,
    'This statement is of {named}, not of {account}. Nothing was imported.',
  ],
  statement_currency: [422, 'This statement is in {currency}. The account is in {expected}.'],
  statement_gap: [
    422,
    'This statement begins with {opening}, and the last one ended with {closing}. Import the one in between first.',
  ],
  statement_choices: [422, 'Choose {missing} first. Nothing was imported.'],
  statement_nothing_new: [
    409,
    'Every line of this statement is known already. Nothing was imported.',
  ],
  statement_not_found: [404, 'This statement was not found.'],
  company_account_not_found: [404, 'This bank account of the company was not found.'],
  company_account_exists: [409, 'The company’s account with this number is here already.'],
  bank_line_not_found: [404, 'This line of a statement was not found.'],
  bank_line_matched: [409, 'This line is matched already. Take its match back first.'],
  bank_line_unmatched: [409, 'This line has no match.'],
  bank_items_sum: [422, 'The items add up to {sum}, and the line is {amount}.'],
  bank_item_taken: [409, '{name} has {left} left to match.'],
  bank_item_not_found: [404, 'This payment was not found.'],
  bank_rule_not_found: [404, 'This rule was not found.'],
  import_empty: [422, 'This file has no rows below its header.'],
  password_chosen: [
    409,
    'This person already has a password. They can reset it on the sign-in screen.',
  ],
  person_erased: [
    409,
    'This person’s data was destroyed. Please add them with another email address.',
  ],
  own_account: [403, 'Another administrator must do this for your own account.'],
  last_admin: [409, 'This is the last administrator. Invite another one first.'],

  // Wallets and bank accounts
  no_accounts: [404, 'No Accounts Available'],
  wallet_not_found: [404, 'This account was not found.'],
  same_wallet: [422, 'Choose two different accounts'],
  wallet_exists: [409, 'You already have an account of this kind.'],
  wallet_closed: [409, 'Your account of this kind was closed. Please ask your administrator.'],
  wallet_not_empty: [409, 'This account is not empty. Only an empty account can be closed.'],
  wallet_in_use: [
    409,
    'This account is in use by a deposit, a payroll or a standing bill. Please end that first.',
  ],
  bank_account_not_found: [404, 'This bank account was not found.'],
  bank_account_not_verified: [422, 'Please select a valid bank account'],
  bank_account_in_use: [409, 'This bank account is used by a withdrawal in progress.'],
  bank_account_exists: [409, 'You have already added this bank account.'],
  holder_reason_required: [
    422,
    'The account is in another name than its owner’s. Enter why it is right.',
  ],
  bank_account_untested: [409, 'This bank account can be verified after its prenote. {why}'],
  bank_account_not_pending: [409, 'This bank account was already verified or rejected.'],
  routing_number_invalid: [422, 'Enter a valid 9-digit routing number'],

  question_not_found: [404, 'This question was not found.'],
  question_waiting: [409, 'Your last question about this has not been answered yet.'],
  question_answered: [409, 'This question has already been answered.'],

  audit_event_not_found: [404, 'This record was not found.'],

  // Money requests
  amount_invalid: [422, 'Please enter a valid amount'],
  balance_differs: [
    409,
    'This account is being checked: its balance is not the sum of its entries. Nothing was changed. Please try again later.',
  ],
  month_closed: [
    409,
    'This would count in a month that is closed. Nothing was changed. A correction is posted in an open month.',
  ],
  month_not_found: [404, 'Nothing was posted in this month.'],
  month_wrong_status: [409, '{month} cannot be {done} now. Months close in their order.'],
  month_blocked: [409, '{month} cannot be closed yet. {task}.'],
  chart_incomplete: [409, 'The journal cannot be exported: map {accounts} first.'],
  time_zone_of_closed_months: [
    409,
    'The time zone cannot change while months are closed, because they would begin and end at other times.',
  ],
  insufficient_funds: [422, 'Insufficient funds. Available: {available}'],
  nothing_to_pay_out: [409, 'Nothing is available in their accounts.'],
  identity_not_approved: [
    403,
    'Your identity must be approved before money can leave your wallet. See KYC Status.',
  ],
  withdrawal_not_found: [404, 'This withdrawal was not found.'],
  withdrawal_not_cancellable: [409, 'Unable to cancel this withdrawal request'],
  withdrawal_wrong_status: [409, 'This withdrawal is {status}, so this is not possible.'],
  payouts_stopped: [
    409,
    'Payouts are stopped, because the last verification of the books found a problem. See System Health.',
  ],
  payout_cooling_off: [
    409,
    'This can be paid from {until}, because the account, the password or the email address is new or was changed.',
  ],
  payout_account_returned: [
    409,
    'The bank sent back a payout to this account. The account must be verified again before money is sent to it.',
  ],
  payouts_by_hand: [
    409,
    'Enter your bank in Settings, under Payout files, before you make a file.',
  ],
  payout_in_file: [409, 'This is in payout file {number}. Cancel the file first.'],
  payout_sent_in_file: [
    409,
    'This was sent in payout file {number}. It is completed when the file is settled.',
  ],
  payout_item_not_ready: [409, '{reference} cannot be paid now. {why}'],
  payout_item_unwritable: [422, '{reference} cannot be written to the file: {why}.'],
  payout_file_not_found: [404, 'This payout file was not found.'],
  payout_file_wrong_status: [409, 'This payout file is {status}, so this is not possible.'],
  payout_settled_by_line: [
    409,
    'Your bank’s statements are imported. This file is settled when its line is matched on Company Bank.',
  ],
  payout_file_differs: [
    409,
    'This file can no longer be made as it was. Cancel it and make a new one.',
  ],
  payout_check_failed: [409, '{why} Cancel this file and make another one.'],
  payouts_changed: [409, 'What is ready to pay has changed. Look at it again.'],
  same_day_passed: [409, 'Payments can no longer arrive today. Choose the next banking day.'],
  payout_files_full: [409, 'No more than {most} payout files can be made in one day.'],
  return_file_too_large: [413, 'This file is too large. A returns file has at most {most}.'],
  return_file_unreadable: [
    422,
    'This file does not add up, so nothing of it was booked. {place}: {why}.',
  ],
  return_file_booked: [409, 'This file was booked before. Nothing of it was booked again.'],
  return_file_not_found: [404, 'This returns file was not found.'],
  return_entry_not_found: [404, 'This entry was not found.'],
  return_entry_decided: [409, 'Another administrator has decided on this entry.'],
  return_item_differs: [
    409,
    'A return can be booked only to a payment of the same amount that was sent and has not come back.',
  ],
  change_outdated: [
    409,
    'This bank account was changed or removed since, so there is nothing to update.',
  ],
  payouts_not_frozen: [409, 'The payouts of this person are not frozen.'],
  payouts_frozen_already: [409, 'The payouts of this person are already frozen.'],
  payouts_frozen: [
    409,
    'Payouts of this person are frozen, because they reported a change that was not theirs.',
  ],
  own_request: [403, 'Someone else must decide on your own request.'],
  transaction_not_found: [404, 'This transaction was not found.'],
  deposit_not_found: [404, 'This deposit was not found.'],
  deposit_wrong_status: [409, 'This deposit is {status}, so this is not possible.'],
  deposit_already_decided: [409, 'This deposit is already {status}.'],
  deposit_out_of_range: [422, 'Amount must be between {min} and {max}'],
  deposit_method_unavailable: [
    422,
    'This deposit method is not offered. Please choose another one.',
  ],
  deposit_not_cancellable: [409, 'Unable to cancel this deposit request'],
  deposit_takes_no_images: [409, 'This deposit is not made by mobile check.'],
  deposit_unconfirmed: [
    409,
    'This deposit takes two administrators: one confirms that it arrived, then another one approves it.',
  ],
  deposit_confirmation_unneeded: [
    409,
    'This deposit takes no further confirmation. It waits for its approval.',
  ],
  deposit_images_missing: [409, 'Both photographs of the check are needed before it is approved.'],
  deposit_confirmed: [
    409,
    'An administrator has confirmed this deposit by its photographs, so they stay as they are.',
  ],
  check_image_used: [409, 'This photograph was sent with another deposit.'],
  deposit_daily_limit: [422, 'This exceeds the daily limit of {limit} for this method.'],

  // Paying
  recipient_not_found: [404, 'No one with this address can be paid. Check the spelling.'],
  own_payment: [422, 'This is your own address. Enter a colleague’s address.'],
  payer_not_accepted: [
    403,
    'An administrator must accept you as an employee before you can pay anyone.',
  ],
  own_payouts_frozen: [
    409,
    'No money can leave your accounts, because a change that was not yours was reported. An administrator must check it first.',
  ],
  payment_cooling_off: [
    409,
    'You can pay from {until}, because your password or email address was changed.',
  ],
  payments_stopped: [409, 'Payments are stopped for now. Please ask your administrator.'],
  payment_limit: [422, 'One payment can be at most {limit}'],
  payment_daily_limit: [422, 'This exceeds the daily limit of {limit} for payments to people.'],
  new_browser_limit: [
    422,
    'This browser is new to your account. Until {until} it can send {limit} a day, of which {left} is left today.',
  ],
  bill_not_found: [404, 'This bill was not found.'],
  bill_wrong_status: [409, 'This bill is {status}, so this is not possible.'],
  bill_limit: [422, 'One bill can be at most {limit}'],
  payout_day_invalid: [422, 'Choose a day from {from} to {to}'],
  bill_daily_limit: [422, 'This exceeds the limit of {limit} for bills in one day.'],
  bill_day_invalid: [422, 'Choose a day from {from} to {to}'],
  standing_bill_not_found: [404, 'This standing bill was not found.'],
  standing_bill_ended: [409, 'This standing bill has ended.'],
  standing_bill_limit: [409, 'You have {most} standing bills. Stop one first.'],
  standing_bill_end_invalid: [422, 'Choose a last day of {from} or later'],
  automatic_transfers_changed: [
    409,
    'Your automatic transfers were changed in the meantime. Look at them again.',
  ],
  automatic_transfers_none: [409, 'This account has no automatic transfers.'],
  automatic_percent_sum: [422, 'Percentages can be at most 100% together'],
  automatic_transfer_not_found: [404, 'This automatic transfer was not found.'],
  automatic_transfer_not_movable: [
    409,
    'This transfer went to a bank account or was taken back already, so it cannot be moved back.',
  ],
  payee_not_found: [404, 'This payee was changed or removed.'],
  payee_returned: [
    409,
    'The bank sent back a bill to this payee. Confirm or edit the payee before you pay it.',
  ],
  payee_not_confirmed: [
    409,
    'The bank sent back a bill to this payee. The employee must confirm the payee before this bill is sent.',
  ],
  payee_limit: [409, 'You have {most} saved payees. Remove one first, or do not save this one.'],

  // Payroll
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

  // KYC
  application_not_found: [404, 'This application was not found.'],
  application_wrong_status: [409, 'This application is {status}, so this is not possible.'],
  application_incomplete: [422, 'Some required answers are missing.'],
  application_stale: [409, 'This application was changed elsewhere. Please check it again.'],
  account_document_not_found: [404, 'This document was not found.'],
  statement_too_long: [
    409,
    'This month has {entries} entries, more than one document holds ({most}). Export it from your transaction history instead.',
  ],
  archive_too_large: [
    409,
    'This year has {documents} documents, more than one archive holds ({most}). Save the statements one by one instead.',
  ],
  payslips_none: [404, 'Nobody was paid by this part of the payroll, so there are no payslips.'],
  archive_empty: [404, 'There are no documents in {year}.'],
  document_not_found: [404, 'This document was not found.'],
  document_wrong_status: [409, 'This document is {status}, so this is not possible.'],
  document_stale: [409, 'This document has been changed or replaced. Please check it again.'],
  document_rejected: [
    409,
    'A document of this application is rejected. Approve it, or ask for a new one.',
  ],
  verification_complete: [409, 'Your documents are verified and cannot be changed.'],
  issue_date_needed: [422, 'Enter the date of issue that is printed on the document.'],
  issue_date_future: [422, 'The date of issue is in the future. Please check it.'],
  document_too_old: [422, 'Proof of address must not be older than 3 months. Upload a newer one.'],
  image_invalid: [422, 'Please select a valid image file (JPEG, PNG, or WebP)'],
  image_too_large: [413, 'Image size must be less than 5MB'],
  image_damaged: [422, 'This image is damaged. Please choose another one.'],
  image_too_many_pixels: [
    422,
    'This image has more than 50 megapixels. Please choose a smaller one.',
  ],
  image_too_heavy: [
    422,
    'This image takes too much memory to open. Please save it as an ordinary JPEG and choose that.',
  ],
  reason_required: [422, 'Rejection reason is required'],
  notes_required: [422, 'Notes are required'],

  delivery_not_found: [404, 'This delivery is no longer waiting.'],
  notification_not_found: [404, 'This notification was not found.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorDetails = Readonly<Record<string, string | number>>;

export function errorStatus(code: ErrorCode): number {
  return ERRORS[code][0];
}

/**
 * The sentence of `code`, with its placeholders filled; `{wait}` from the detail `retryAfterS`, as minutes.
 * The detail `lastAct`, a sentence that says who was
 * faster and when, comes before it.
 */
export function errorSentence(code: ErrorCode, details: ErrorDetails = {}): string {
  const known: Readonly<Record<string, string | number | undefined>> = {
    wait: minutesOf(details['retryAfterS']),
    ...details,
  };
  const sentence = ERRORS[code][1].replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(known[name] ?? placeholder),
  );
  return 'lastAct' in details ? `${details['lastAct']} ${sentence}` : sentence;
}

/** "1 minute", "56 minutes": of a number of seconds, up to the next full minute. */
function minutesOf(seconds: string | number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  const minutes = Math.max(1, Math.ceil(Number(seconds) / 60));
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}

/** One field that was refused; `path` is the dotted name in the body, query or path. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** Form of every refusal on the wire: application/problem+json (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly details?: ErrorDetails;
  readonly errors?: readonly FieldError[];
}
