import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AdminBankAccount } from '#contract/api.ts';
import { Facts } from '#web/ui/facts.tsx';
import { HolderCell, holderFacts, SharedAccountNotice } from './holder-check.tsx';

const OTHER = { id: 'b', name: 'Anil Deshpande', employeeId: 'EMP0002' };
const CHECK = { ownerName: 'Maya Castellanos', isNameVerified: true, alsoOf: [OTHER] };

function account(check: AdminBankAccount['check']): AdminBankAccount {
  return {
    id: 'a',
    bankName: 'Alder Bank',
    accountType: 'checking',
    accountNumberLast4: '2208',
    routingNumber: '021000021',
    accountHolderName: 'M. Castellanos',
    status: check === null ? 'verified' : 'pending',
    rejectionReason: null,
    returned: null,
    isPrimary: false,
    isInUse: false,
    payableFrom: null,
    prenote: null,
    microDeposits: null,
    isNew: true,
    addedAt: '2026-12-08T15:00:00.000Z',
    history: [],
    acts: [],
    employee: { id: 'm', name: 'Maya Castellanos', employeeId: null },
    check,
    mayVerify: check !== null,
  };
}

test.each([
  ['equal', 'Same name'],
  ['similar', 'Similar name'],
  ['different', 'Different name'],
] as const)('a name that is %s is said in words', (nameMatch, words) => {
  const facts = holderFacts(account({ ...CHECK, nameMatch }));
  const markup = renderToStaticMarkup(<Facts facts={facts} />);
  expect(markup).toContain(words);
  expect(markup).toContain('Verified name');
});

test('a name that no identity application proved is named as such', () => {
  const check = { ...CHECK, nameMatch: 'equal', isNameVerified: false } as const;
  const markup = renderToStaticMarkup(<Facts facts={holderFacts(account(check))} />);
  expect(markup).toContain('Name, not verified');
});

test('a row says what needs a look, and nothing where it was decided', () => {
  const row = (check: AdminBankAccount['check']) =>
    renderToStaticMarkup(<HolderCell account={account(check)} />);
  expect(row({ ...CHECK, nameMatch: 'different' })).toMatch(/Different<.*Shared/);
  expect(row({ ...CHECK, nameMatch: 'equal', alsoOf: [] })).not.toMatch(/Same|Shared/);
  expect(row(null)).not.toMatch(/Similar|Different|Shared/);
});

test('another person who has the account is named', () => {
  const markup = renderToStaticMarkup(<SharedAccountNotice people={[OTHER]} />);
  expect(markup).toContain('Anil Deshpande (EMP0002)');
  expect(renderToStaticMarkup(<SharedAccountNotice people={[]} />)).toBe('');
});
