import { MAX_SAVED_VIEWS, MAX_WEBHOOKS } from '../limits.ts';

/** Refusals of one more, which screens say beforehand. */
export const SAVED_VIEWS_FULL = `You have ${MAX_SAVED_VIEWS} saved views already. Delete one first.`;
export const WEBHOOKS_FULL = `There are ${MAX_WEBHOOKS} webhooks already. Remove one first.`;

/** Refusals about people, settings, imported files and the company’s own bank. */
export const COMPANY_ERRORS = {
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
  too_many_webhooks: [409, WEBHOOKS_FULL],
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
  saved_view_limit: [409, SAVED_VIEWS_FULL],
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
} as const;
