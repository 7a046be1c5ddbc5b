import { describe, expect, it } from 'vitest';
import type { Employee, SavedView } from '#contract/api.ts';
import { depositList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import type { Screen, Waiting } from '#web/lib/screens.ts';
import { commandsFor } from './commands.ts';
import { createReader, type Press } from './shortcuts.ts';

function screen(path: string, label: string, counts?: keyof Waiting): Screen {
  const navigation = { group: null, label, ...(counts !== undefined && { waiting: counts }) };
  return { path, title: label, navigation, search: {}, load: () => Promise.reject(new Error()) };
}

const screens = [
  screen('/admin/kyc-review', 'KYC Review', 'kyc'),
  screen('/admin/bank-accounts', 'Bank Accounts', 'bankAccounts'),
  screen('/admin/payroll', 'Payroll'),
  screen('/admin/deposits', 'Deposits', 'deposits'),
  screen('/admin/withdrawals', 'Withdrawals', 'withdrawals'),
];
const waiting = {
  kyc: 5,
  bankAccounts: 0,
  deposits: 6,
  withdrawals: 7,
  bills: 0,
  questions: 0,
  applicants: 0,
  bankLines: 0,
  payouts: 0,
};
const grace: Employee = {
  id: '0190',
  name: 'Grace Achieng',
  email: 'grace@purser.test',
  employeeId: 'TR-0088',
  avatarUrl: null,
  department: 'customer-support',
  position: 'Agent',
  role: 'employee',
  standing: 'active',
  balance: money(0n, 'USD'),
  available: money(0n, 'USD'),
  account: null,
  furtherAccounts: 0,
  kycStatus: null,
};

const NOTHING = {
  typed: '',
  screens,
  waiting: null,
  people: [],
  transactions: [],
  isOutdated: { people: false, transactions: false },
  views: [],
  undoable: undefined,
};

function labels(typed: string, people: readonly Employee[] = []) {
  const groups = commandsFor({ ...NOTHING, typed, screens, waiting, people });
  return groups.map(({ label, commands }) => [label, ...commands.map((command) => command.label)]);
}

describe('the palette', () => {
  it('offers waiting items and common actions, in the order of the navigation', () => {
    expect(labels('')).toEqual([
      ['Waiting for you', 'KYC applications', 'Deposits to approve', 'Withdrawals to pay out'],
      ['Actions', 'Send Payroll', 'Fund Employee', 'Add Employee'],
    ]);
  });

  it('finds by all typed words, in any order and case', () => {
    expect(labels('PAY send')).toEqual([['Actions', 'Send Payroll']]);
    expect(labels('payroll')).toEqual([
      ['Actions', 'Send Payroll'],
      ['Screens', 'Payroll'],
    ]);
    expect(labels('no such thing')).toEqual([]);
  });

  it('lists the people found by the server', () => {
    expect(commandsFor({ ...NOTHING, typed: 'grace', people: [grace] })).toEqual([
      {
        label: 'People',
        commands: [
          {
            id: 'person 0190',
            label: 'Grace Achieng',
            detail: 'TR-0088, Customer support',
            href: '/admin/employees/0190',
          },
        ],
      },
    ]);
  });

  it('offers nobody whom only an earlier search found', () => {
    const isOutdated = { people: true, transactions: true };
    const typing = { ...NOTHING, people: [grace], isOutdated };
    expect(commandsFor({ ...typing, typed: 'grace a' })).toMatchObject([{ label: 'People' }]);
    expect(commandsFor({ ...typing, typed: 'grace b' })).toEqual([]);
  });

  it('lists saved views with their screen, and undoes the last act', () => {
    const view: SavedView = {
      id: '0191',
      list: 'adminListDeposits',
      name: 'All wires',
      isPartial: false,
      view: { search: '', status: 'all', method: 'wire', sort: 'queue', direction: 'desc' },
    };
    const shown = [
      { ...screen('/admin/deposits', 'Deposits'), search: { lists: { '': depositList } } },
    ];
    const groups = commandsFor({
      ...NOTHING,
      typed: 'e',
      screens: shown,
      views: [view],
      undoable: 'View Deleted',
    });
    const commands = groups.flatMap((group) =>
      group.commands.map(({ label }) => [group.label, label]),
    );
    expect(commands[0]).toEqual(['Just done', 'Undo: View Deleted']);
    expect(commands).toContainEqual(['Saved views', 'All wires']);
    const views = groups.find(({ label }) => label === 'Saved views');
    expect(views?.commands[0]).toMatchObject({
      detail: 'Deposits',
      href: '/admin/deposits?status=all&method=wire',
    });
  });
});

describe('the keys', () => {
  const press = (key: string, more: Partial<Press> = {}): Press => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  });
  function reads(presses: readonly Press[], { pauseMs = 100, areOn = true } = {}) {
    let now = 0;
    const read = createReader(() => now);
    return presses.map((each) => {
      now += pauseMs;
      return read(each, areOn);
    });
  }

  it('open the palette with Ctrl+K or Cmd+K, even if single keys are off', () => {
    const both = [press('k', { ctrlKey: true }), press('K', { metaKey: true })];
    expect(reads(both, { areOn: false })).toEqual([{ kind: 'palette' }, { kind: 'palette' }]);
  });

  it('do nothing together with modifier keys', () => {
    const none = [press('p', { ctrlKey: true }), press('p', { altKey: true }), press('q')];
    expect(reads(none)).toEqual([null, null, null]);
    const off = [press('p'), press('?'), press('j'), press('Enter')];
    expect(reads(off, { areOn: false })).toEqual([null, null, null, null]);
  });

  it('move through a list, select and decide its rows, and G then K still opens a screen', () => {
    const row = (act: string) => ({ kind: 'row', act });
    expect(reads(['j', 'k', 'Enter', 'x', 'a', 'R', 'm'].map((key) => press(key)))).toEqual(
      ['next', 'previous', 'open', 'select', 'approve', 'reject', 'match'].map(row),
    );
    expect(reads([press('X', { shiftKey: true })])).toEqual([row('selectUpTo')]);
    expect(reads([press('g'), press('k')])).toEqual([
      null,
      { kind: 'go', href: '/admin/kyc-review' },
    ]);
  });

  it('open a screen with G and its key, if it follows soon', () => {
    const keys = [press('g'), press('p')];
    expect(reads(keys)).toEqual([null, { kind: 'go', href: '/admin/payouts' }]);
    expect(reads([press('g'), press('n')])[1]).toEqual({ kind: 'go', href: '/admin/company-bank' });
    expect(reads([press('g'), press('x'), press('/')])).toEqual([null, null, { kind: 'find' }]);
    expect(reads([press('g'), press('w')], { pauseMs: 2_000 })).toEqual([null, null]);
  });
});
