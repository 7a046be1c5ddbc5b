/** Refusals about identity checks, documents and notices. */
export const DOCUMENT_ERRORS = {
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
} as const;
