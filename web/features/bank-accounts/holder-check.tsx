import type { AdminBankAccount } from '#contract/api.ts';
import type { NameMatch } from '#contract/bank-accounts.ts';
import { personLabel } from '#web/lib/person-label.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import type { Fact } from '#web/ui/facts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import { Tag } from '#web/ui/tag.tsx';
import './holder-check.css';

type Check = NonNullable<AdminBankAccount['check']>;

const MATCH_STATUS = {
  equal: 'name_equal',
  similar: 'name_similar',
  different: 'name_different',
} as const satisfies Record<NameMatch, StatusName>;

/** The comparison in a row, next to the name itself. */
const SHORT = { similar: 'Similar', different: 'Different' } as const;

/** The name of an account's holder in a row, with how it compares while the account waits. */
export function HolderCell({ account }: { account: AdminBankAccount }) {
  const { accountHolderName, check } = account;
  return (
    <span className="holder-cell">
      <Clipped isName className="muted">
        {accountHolderName}
      </Clipped>
      {check !== null && check.nameMatch !== 'equal' && (
        <Status status={MATCH_STATUS[check.nameMatch]} label={SHORT[check.nameMatch]} />
      )}
      {check !== null && check.alsoOf.length > 0 && <Tag tone="caution">Shared</Tag>}
    </span>
  );
}

/** The same as facts of the question: the owner's name, where it is from, and how they compare. */
export function holderFacts({ accountHolderName, check }: AdminBankAccount): Fact[] {
  const holder = { label: 'Holder', value: accountHolderName };
  if (check === null) return [holder];
  return [
    holder,
    {
      label: check.isNameVerified ? 'Verified name' : 'Name, not verified',
      value: check.ownerName,
    },
    { label: 'Comparison', value: <Status status={MATCH_STATUS[check.nameMatch]} /> },
  ];
}

/** Other people who have or had the same account. */
export function SharedAccountNotice({ people }: { people: Check['alsoOf'] }) {
  if (people.length === 0) return null;
  return (
    <div className="mt-4">
      <Notice tone="caution">
        <p className="strong">The same bank account was added by another person</p>
        <ul aria-label="Other people with this account">
          {people.map((person) => (
            <li key={person.id}>{personLabel(person)}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
