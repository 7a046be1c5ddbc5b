import type { FailedDelivery } from '#contract/api.ts';

/** Subjects of the mails that Purser sends. */
const MAILS: Record<string, string> = {
  notification: 'Notification',
  'confirm-email': 'Confirmation of an email address',
  'account-exists': 'Account exists already',
  'reset-password': 'Link for a new password',
  'choose-password': 'Link for a first password',
  'password-changed': 'Password was changed',
  'confirm-new-email': 'Confirmation of a new email address',
  'email-changed': 'Email address was changed',
  'open-documents': 'Link to the documents of a person who left',
  'admin-invite': 'Invitation of an administrator',
};

interface Words {
  /** "Mail to Maya Castellanos" */
  title: string;
  /** "Link for a new password" */
  about: string;
  /** Effect of discarding it. */
  consequence: string;
}

/** Describes a failed delivery in words that an admin knows. */
export function deliveryWords({ kind, topic, person, batch }: FailedDelivery): Words {
  switch (kind) {
    case 'mail':
      return {
        title: person === null ? 'Mail' : `Mail to ${person.name}`,
        about: MAILS[topic] ?? topic,
        consequence: 'This mail will not be sent.',
      };
    case 'event':
      return {
        title: person === null ? 'Update of open screens' : `Update of ${person.name}’s screens`,
        about: topicWords(topic),
        consequence: 'Open screens show the change when they are next loaded.',
      };
    case 'job':
      if (topic === 'verify-books') {
        return {
          title: 'Verification of the books',
          about: 'Asked for by an administrator',
          consequence: 'Purser runs a full verification automatically tonight.',
        };
      }
      return {
        title: batch === null ? 'Start of a payroll' : `Start of ${batch.name}`,
        about: batch === null ? topic : `Batch ${batch.number}`,
        consequence:
          'This does not cancel the payroll. Purser starts it again within a minute until it is finished.',
      };
  }
}

/** Part of the screens that changed: "Bank accounts". */
function topicWords(topic: string): string {
  return topic.charAt(0).toUpperCase() + topic.slice(1).replaceAll('-', ' ');
}

/** "3 deliveries" */
export function deliveriesWords(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'delivery' : 'deliveries'}`;
}
