import { expect, test } from 'vitest';
import { renderMail } from './render-mail.ts';
import type { MailContent } from './render-mail.ts';

const notice = { title: 'Title', message: 'It happened.', url: 'https://pay.example.com/x' };
const token = 'token';
/** One mail of every kind. */
const CONTENTS: { [Kind in MailContent['kind']]: Extract<MailContent, { kind: Kind }> } = {
  notification: { kind: 'notification', ...notice, reportToken: token, unsubscribeUrl: null },
  digest: {
    kind: 'digest',
    isWeekly: true,
    notices: [notice],
    inboxUrl: notice.url,
    unsubscribeUrl: notice.url,
  },
  'confirm-email': { kind: 'confirm-email', token },
  'account-exists': { kind: 'account-exists' },
  'reset-password': { kind: 'reset-password', token },
  'choose-password': { kind: 'choose-password', token },
  'password-changed': { kind: 'password-changed' },
  'confirm-new-email': { kind: 'confirm-new-email', token },
  'email-changed': { kind: 'email-changed', token },
  'open-documents': { kind: 'open-documents', token },
  'admin-invite': { kind: 'admin-invite', token, invitedBy: 'Renee Abara' },
};

test.each(Object.values(CONTENTS))(
  '$kind: does not end a sentence at a company name that ends with a period',
  (content) => {
    const frame = {
      companyName: 'Tallis & Reed, Inc.',
      url: 'https://pay.example.com',
      firstName: 'Maya',
    };
    const { subject, text, html } = renderMail(content, frame);
    for (const part of [subject, text, html]) expect(part).not.toContain('..');
    expect(text).toContain('Inc.');
  },
);
