/**
 * Every refusal the API knows: its HTTP status and its sentence. The sentence is what a person
 * reads. A `{name}` in it is filled from the error's details.
 */
export const ERRORS = {
  // Anyone, anywhere
  invalid_request: [422, 'Please check the highlighted fields.'],
  malformed_request: [400, 'The request could not be read.'],
  body_too_large: [413, 'The request is too large.'],
  not_found: [404, 'Not found.'],
  method_not_allowed: [405, 'This address does not answer that method.'],
  unauthenticated: [401, 'User not authenticated'],
  api_key_invalid: [401, 'This API key does not work: it is wrong, has expired or was revoked.'],
  api_key_refused: [403, 'This API key may not do this.'],
  forbidden: [403, 'You do not have access to this.'],
  origin_refused: [403, 'The request came from another site.'],
  too_many_requests: [429, 'Too many attempts. Please try again in {retryAfterS} seconds.'],
  hourly_limit: [
    429,
    'You have done this very often within an hour. Please try again in {minutes} min.',
  ],
  unavailable: [503, 'The service is not available right now. Please try again.'],
  internal: [500, 'Something went wrong on our side. Nothing was changed.'],
  idempotency_key_required: [400, 'Money requests need an Idempotency-Key header.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for a different request.'],
  conflict: [409, 'This was changed by someone else. Please look again.'],

  data_destroyed: [410, 'This was destroyed when its retention ended.'],

  // Identity
  invalid_credentials: [401, 'Invalid login credentials'],
  email_not_confirmed: [403, 'Email not confirmed'],
  account_exists: [409, 'User already registered'],
  account_deactivated: [403, 'This account is deactivated. Please ask your administrator.'],
  passwords_too_weak: [422, 'Password is too weak.'],
  invalid_password: [422, 'Invalid password'],
  link_invalid: [410, 'This link is no longer valid. Please ask for a new one.'],
  invite_invalid: [410, 'Please check your token and try again.'],
  invite_other_email: [403, 'This invite was made for another email address.'],
  code_invalid: [422, 'That code is not right. Wait for the next one, then try again.'],
  sign_in_expired: [410, 'This sign-in took too long. Please sign in again.'],
  no_email_change: [409, 'No change of your email address is waiting any more.'],
  passkey_refused: [
    422,
    'That passkey could not be used. Please try again, or sign in another way.',
  ],
  passkey_expired: [410, 'This took too long, or was done already. Please try again.'],
  passkeys_full: [409, 'You have {most} passkeys already. Please remove one first.'],
  two_factor_is_on: [409, 'Two-factor is on already.'],
  two_factor_is_off: [409, 'Two-factor is not on.'],
  two_factor_required: [403, 'Your company requires two-factor. Please set it up first.'],
  confirmation_needed: [403, 'Please confirm that it is you.'],
  last_session: [409, 'This is the session you are using. Sign out instead.'],

  sign_up_closed: [403, 'Only people whom an administrator added can join. Please ask yours.'],
  sign_up_other_domain: [403, 'Please sign up with your address at the company.'],

  mail_not_stopped: [404, 'Mail to this address is not stopped any more.'],
  calendar_feed_not_found: [404, 'There is no calendar address any more.'],

  // People
  person_not_found: [404, 'This person was not found.'],
  person_wrong_standing: [409, 'This person is {standing}, so this cannot be done.'],
  second_person_needed: [403, 'Someone else has to do this, because {did}. Who may: {who}.'],
  two_admins_needed: [409, 'Two active administrators are needed before duties can be separated.'],
  invite_not_found: [404, 'This invite was not found.'],
  invite_not_waiting: [409, 'This invite is {status} and cannot be revoked.'],
  api_key_not_found: [404, 'This API key was not found.'],
  api_key_not_active: [409, 'This API key is {status} and cannot be revoked.'],
  webhook_not_found: [404, 'This webhook was not found.'],
  too_many_webhooks: [409, 'There are {most} webhooks already. Remove one first.'],
  webhook_delivery_not_found: [404, 'This delivery was not found.'],
  webhook_delivery_waiting: [409, 'This delivery is waiting to be sent already.'],
  settings_changed: [409, '{who} changed {what} meanwhile. Please look again.'],
  currency_stays: [
    409,
    'The first account was opened in the company’s currency meanwhile, so it stays. Nothing was changed.',
  ],
  setup_ended: [409, '{who} ended the set-up meanwhile. Everything can be set in the settings.'],
  proposal_not_found: [404, 'This proposal is not waiting any more.'],
  email_taken: [409, 'Someone with this email address is here already. Search for it.'],
  identity_not_awaited: [409, 'Their identity is {status}: there is nothing to ask for.'],
  identity_asked_already: [409, 'They were asked within a day already.'],
  saved_view_not_found: [404, 'This view is not here any more.'],
  saved_view_limit: [409, 'You have {most} saved views already. Delete one first.'],
  saved_view_name_taken: [409, 'You have a view of this name in this list already.'],
  import_not_found: [404, 'This import is not here any more.'],
  import_wrong_status: [409, 'This import is {status} by now. Please look again.'],
  import_in_progress: [409, '{who} is importing {file} already. One file is imported at a time.'],
  import_nothing_ready: [422, 'No row of this file can be imported.'],
  import_too_large: [413, 'The file is larger than 25 MB. Please split it into several.'],
  import_too_many_rows: [422, 'The file has more than 100,000 rows. Please split it into several.'],
  import_not_text: [422, 'This is not a CSV file. Save the sheet as “CSV UTF-8” and choose that.'],
  import_unreadable: [422, 'Line {line} cannot be read: {why}. Nothing was imported.'],
  import_no_header: [
    422,
    'The first line has to name the columns, such as Full Name, Email, Department.',
  ],
  import_empty: [422, 'This file has no rows below its header.'],
  password_chosen: [
    409,
    'This person chose a password already. They can ask for a new one where they sign in.',
  ],
  person_erased: [
    409,
    'What was kept of this person was destroyed. Please add them with another email address.',
  ],
  own_account: [403, 'Another administrator has to do this to your own account.'],
  last_admin: [409, 'This is the last administrator. Invite another one first.'],

  // Wallets and bank accounts
  no_accounts: [404, 'No Accounts Available'],
  wallet_not_found: [404, 'This account was not found.'],
  wallet_exists: [409, 'You have an account of this kind already.'],
  wallet_closed: [409, 'Your account of this kind was closed. Please ask your administrator.'],
  wallet_not_empty: [409, 'This account is not empty. Only an empty account can be closed.'],
  wallet_in_use: [
    409,
    'This account is in use: a deposit, a payroll or a standing bill waits. Please end that first.',
  ],
  bank_account_not_found: [404, 'This bank account was not found.'],
  bank_account_not_verified: [422, 'Please select a valid bank account'],
  bank_account_in_use: [409, 'This bank account is used by a withdrawal in progress.'],
  bank_account_exists: [409, 'You have already added this bank account.'],
  bank_account_not_pending: [409, 'This bank account has already been decided.'],
  routing_number_invalid: [422, 'Enter a valid 9-digit routing number'],

  audit_event_not_found: [404, 'This record was not found.'],

  // Money requests
  amount_invalid: [422, 'Please enter a valid amount'],
  insufficient_funds: [422, 'Insufficient funds. Available: {available}'],
  identity_not_approved: [
    403,
    'Your identity has to be approved before money can leave your wallet. See KYC Status.',
  ],
  withdrawal_not_found: [404, 'This withdrawal was not found.'],
  withdrawal_not_cancellable: [409, 'Unable to cancel this withdrawal request'],
  withdrawal_wrong_status: [409, 'This withdrawal is {status} and cannot be changed that way.'],
  payouts_stopped: [
    409,
    'Payouts are stopped, because the last verification of the books found something wrong. See System Health.',
  ],
  payout_cooling_off: [
    409,
    'The bank account, the password or the email address was changed lately. This can be paid out from {until} on.',
  ],
  payouts_not_frozen: [409, 'The payouts of this person are not frozen.'],
  payouts_frozen_already: [409, 'The payouts of this person are frozen already.'],
  payouts_frozen: [
    409,
    'Payouts of this person are frozen, because they reported a change that was not theirs.',
  ],
  own_request: [403, 'Someone else has to decide on your own request.'],
  transaction_not_found: [404, 'This transaction was not found.'],
  deposit_not_found: [404, 'This deposit was not found.'],
  deposit_wrong_status: [409, 'This deposit is {status} and cannot be changed that way.'],
  deposit_already_decided: [409, '{by} has {status} this deposit already.'],
  deposit_out_of_range: [422, 'Amount must be between {min} and {max}'],
  deposit_method_unavailable: [
    422,
    'This way to deposit is not offered. Please choose another one.',
  ],
  deposit_not_cancellable: [409, 'Unable to cancel this deposit request'],
  deposit_takes_no_images: [409, 'This deposit is not made by mobile check.'],
  deposit_images_missing: [409, 'Both photographs of the check are needed before it is approved.'],
  check_image_used: [409, 'This photograph was sent with another deposit.'],
  deposit_daily_limit: [422, 'This would pass the daily limit of {limit} for this method.'],

  // Paying
  recipient_not_found: [404, 'No one can be paid at this address. Check the spelling.'],
  own_payment: [422, 'This is your own address. Enter that of a colleague.'],
  payer_not_accepted: [
    403,
    'An administrator has to accept you as an employee before you can pay anyone.',
  ],
  own_payouts_frozen: [
    409,
    'No money can leave your accounts, because a change was reported that was not yours. An administrator has to look at it first.',
  ],
  payment_cooling_off: [
    409,
    'Your password or email address was changed lately. You can pay from {until} on.',
  ],
  payments_stopped: [409, 'Payments are stopped for now. Please ask your administrator.'],
  payment_limit: [422, 'One payment can be at most {limit}'],
  payment_daily_limit: [422, 'This would pass the daily limit of {limit} for payments to people.'],
  bill_not_found: [404, 'This bill was not found.'],
  bill_wrong_status: [409, 'This bill is {status} and cannot be changed that way.'],
  bill_limit: [422, 'One bill can be at most {limit}'],
  bill_daily_limit: [422, 'This would pass the limit of {limit} for bills of one day.'],
  bill_day_invalid: [422, 'Choose a day from {from} to {to}'],
  standing_bill_not_found: [404, 'This standing bill was not found.'],
  standing_bill_ended: [409, 'This standing bill has ended.'],
  standing_bill_limit: [409, 'You have {most} standing bills. Stop one first.'],
  standing_bill_end_invalid: [422, 'Choose a last day from {from} on'],
  payee_not_found: [404, 'This payee was changed or removed.'],
  payee_limit: [409, 'You have {most} saved payees. Remove one first, or do not save this one.'],

  // Payroll
  no_employees_in_department: [422, 'No employees found for selected department'],
  no_wallets_of_type: [422, 'No employees have {wallet} accounts'],
  payroll_line_limit: [422, 'A payroll may pay at most {limit} to each employee.'],
  payroll_batch_limit: [
    422,
    'This payroll pays {total}. A payroll may pay at most {limit} in all.',
  ],
  funding_wallet_gone: [
    409,
    'This account was closed, or its owner is no employee any more. Please look again.',
  ],
  funding_refused: [409, 'The payroll funding of the company cannot pay this.'],
  preview_stale: [
    409,
    'The employees, their accounts or the payrolls sent changed since the preview. Please review it again.',
  ],
  payroll_not_found: [404, 'This payroll batch was not found.'],
  payroll_wrong_status: [409, 'This payroll batch is {status} and cannot be changed that way.'],

  // KYC
  application_not_found: [404, 'This application was not found.'],
  application_wrong_status: [409, 'This application is {status} and cannot be changed that way.'],
  application_incomplete: [422, 'Some required answers are missing.'],
  application_stale: [409, 'This application was changed elsewhere. Please look again.'],
  account_document_not_found: [404, 'There is no such document.'],
  statement_too_long: [
    409,
    'This month has {entries} entries, more than one document holds ({most}). Export it from your transaction history instead.',
  ],
  archive_too_large: [
    409,
    'This year has {documents} documents, more than one archive holds ({most}). Save the statements one by one instead.',
  ],
  archive_empty: [404, 'There are no documents in {year}.'],
  document_not_found: [404, 'This document was not found.'],
  document_wrong_status: [409, 'This document is {status} and cannot be changed that way.'],
  document_stale: [409, 'This document was changed or replaced meanwhile. Please look again.'],
  document_rejected: [
    409,
    'A document of this application is rejected. Approve it, or ask for a new one.',
  ],
  verification_complete: [409, 'Your documents are verified and cannot be changed.'],
  image_invalid: [422, 'Please select a valid image file (JPEG, PNG, or WebP)'],
  image_too_large: [413, 'Image size must be less than 5MB'],
  image_damaged: [422, 'This image cannot be read to its end. Please choose another one.'],
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

  delivery_not_found: [404, 'This delivery does not wait any more.'],
  notification_not_found: [404, 'This notification was not found.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorDetails = Readonly<Record<string, string | number>>;

export function errorStatus(code: ErrorCode): number {
  return ERRORS[code][0];
}

/** The sentence of `code`, with its placeholders filled. */
export function errorSentence(code: ErrorCode, details: ErrorDetails = {}): string {
  return ERRORS[code][1].replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    name in details ? String(details[name]) : placeholder,
  );
}

/** One field that was refused; `path` is the dotted name in the body, query or path. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** What every refusal looks like on the wire: application/problem+json (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly details?: ErrorDetails;
  readonly errors?: readonly FieldError[];
}
