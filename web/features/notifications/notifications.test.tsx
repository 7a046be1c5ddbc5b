import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { Notification } from '#contract/api.ts';
import { NOTIFICATION_KINDS } from '#contract/notification-kinds.ts';
import { EMAIL_SWITCHES, type EmailPreferences } from '#contract/notifications.ts';
import { CompanyContext } from '#web/lib/company.ts';
import { CalendarBody } from './calendar-sheet.tsx';
import { PreferenceFields } from './email-preferences.tsx';
import { InboxItem } from './inbox.tsx';
import { SWITCHES } from './preference-words.ts';

const company = { name: 'Tallis & Reed', currency: 'USD', timeZone: 'America/New_York' } as const;
const nothing = () => undefined;

const ALL_ON: EmailPreferences = {
  emailEnabled: true,
  emailFrequency: 'immediate',
  depositAlerts: true,
  withdrawalUpdates: true,
  verificationAlerts: true,
  securityAlerts: true,
  infoNotifications: true,
  profileUpdates: true,
  kycUpdates: true,
};

function markupOf(change: Partial<EmailPreferences>): string {
  return renderToStaticMarkup(
    <PreferenceFields
      area="employee"
      email="maya@purser.test"
      preferences={{ ...ALL_ON, ...change }}
      onChange={nothing}
    />,
  );
}

const count = (markup: string, words: RegExp) => markup.match(words)?.length ?? 0;

describe('the preferences', () => {
  test('show the state of each switch, and the chosen frequency', () => {
    const markup = markupOf({ infoNotifications: false, emailFrequency: 'weekly' });
    expect(count(markup, /role="switch"/g)).toBe(8);
    expect(count(markup, />Off</g)).toBe(1);
    expect(markup).toMatch(/value="weekly"[^>]*checked|checked[^>]*value="weekly"/);
    expect(markup).not.toContain('notifications still appear here');
  });

  test('stay visible but disabled while mail is off', () => {
    const markup = markupOf({ emailEnabled: false });
    expect(markup).toContain('notifications still appear here');
    expect(count(markup, /<input[^>]*disabled/g)).toBe(10);
  });

  test('have a switch for each kind of mail in the area, and no others', () => {
    for (const area of ['employee', 'admin'] as const) {
      const kinds = Object.values(NOTIFICATION_KINDS).filter(({ place }) => area in place);
      const used = EMAIL_SWITCHES.filter((name) => kinds.some(({ mail }) => mail === name));
      expect(SWITCHES[area].map(({ name }) => name).toSorted()).toEqual(used.toSorted());
    }
  });
});

test('a notification shows its text, type and time, and its actions', () => {
  const item: Notification = {
    id: '019b0000-0000-7000-8000-000000000001',
    title: 'Withdrawal <b>Approved</b>',
    message: '$400.00 to Cascade Federal.',
    type: 'withdrawal',
    isRead: false,
    place: '/employee/withdraw?request=1',
    createdAt: '2026-12-07T20:00:00.000Z',
  };
  const render = (shown: Notification) =>
    renderToStaticMarkup(
      <CompanyContext value={company}>
        <InboxItem
          item={shown}
          now={new Date('2026-12-08T15:00:00Z')}
          onRead={nothing}
          onOpen={nothing}
          onDelete={nothing}
        />
      </CompanyContext>,
    );
  const unread = render(item);
  expect(unread).toContain('href="/employee/withdraw?request=1"');
  expect(unread).toContain('(unread)');
  expect(unread).toContain('19 hours ago');
  expect(unread).toContain('>Withdrawal</span>');
  expect(unread).toContain('aria-label="Mark as read: ');
  expect(unread).not.toContain('<b>');
  const read = render({ ...item, isRead: true });
  expect(read).not.toContain('(unread)');
  expect(read).not.toContain('Mark as read');
  expect(read).toContain('aria-label="Delete: ');
});

describe('the calendar', () => {
  const shown = (feed: Parameters<typeof CalendarBody>[0]['feed']) =>
    renderToStaticMarkup(
      <CompanyContext value={company}>
        <CalendarBody feed={feed} />
      </CompanyContext>,
    );
  const feed = {
    paydayWords: 'Payday',
    arrivalWords: 'Rent money',
    billWords: 'Fiber',
    hasArrivals: true,
    hasBills: false,
    createdAt: '2026-12-08T15:00:00.000Z',
    lastReadAt: null,
  };

  test('offers to create an address if there is none', () => {
    expect(shown(null)).toContain('Create Address');
    expect(shown(null)).not.toContain('Remove');
  });

  test('shows its content and when it was last read, but never the address', () => {
    const markup = shown(feed);
    expect(markup).toContain('Rent money');
    expect(markup).not.toContain('Fiber');
    expect(markup).toContain('not read yet');
    expect(shown({ ...feed, lastReadAt: '2026-12-09T15:00:00.000Z' })).toContain('last read');
    expect(markup).not.toContain('/calendars/');
  });
});
