import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import {
  JOURNAL_ACCOUNT_WORDS,
  JOURNAL_FORMAT_LABELS,
  JOURNAL_FORMATS,
} from '#contract/closing.ts';
import type { JournalFormat } from '#contract/closing.ts';
import { addressOf } from '#web/api/client.ts';
import { ExportLink } from '#web/kit/export-link.tsx';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScrollBox } from '#web/ui/scroll-box.tsx';
import { Section } from '#web/ui/section.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { MapAccountDialog } from './close-dialogs.tsx';
import type { Month } from './month-words.ts';

const TABS = ['journal', 'accounts'] as const;
type Tab = (typeof TABS)[number];

interface JournalProps {
  month: Month;
  tab: string | undefined;
  format: string | undefined;
  onTab: (tab: Tab) => void;
  onFormat: (format: JournalFormat) => void;
}

/** The journal of a month, the accounts that it is mapped to, and its export. */
export function Journal({ month, tab, format: asked, onTab, onFormat }: JournalProps) {
  const format = JOURNAL_FORMATS.find((one) => one === asked) ?? 'quickbooks';
  const program = format === 'csv' ? 'the chart' : JOURNAL_FORMAT_LABELS[format];
  const used = month.accounts.filter(({ isUsed }) => isUsed);
  const missing = used.filter(({ code }) => code === null);
  const isKept = month.closing?.exported.includes(format) === true;
  const canExport = used.length > 0 && (isKept || missing.length === 0);
  const href = addressOf('adminExportJournal', {
    params: { month: month.month },
    query: { format },
  });
  const first = missing[0];
  return (
    <Section title="Journal for accounting">
      {first !== undefined && !isKept && (
        <div className="journal-missing">
          <Notice tone="caution">
            <p className="strong">
              {counted(missing.length, 'account')} {missing.length === 1 ? 'has' : 'have'} no place
              in {program}, so the journal cannot be exported.
            </p>
            <p>
              Choose one for{' '}
              {missing.map(({ account }) => JOURNAL_ACCOUNT_WORDS[account].name).join(', ')}. The
              month can be closed without it.
            </p>
          </Notice>
        </div>
      )}
      <Tabs
        label="Journal export"
        selected={TABS.find((one) => one === tab) ?? 'journal'}
        onSelect={onTab}
        end={
          <div className="journal-export">
            {missing.length > 0 && !isKept && (
              <span className="meta">Map {counted(missing.length, 'account')} to export.</span>
            )}
            <FilterSelect
              label="For"
              value={format}
              onChange={onFormat}
              options={JOURNAL_FORMATS.map((one) => ({
                value: one,
                label: JOURNAL_FORMAT_LABELS[one],
              }))}
            />
            <ExportLink href={canExport ? href : undefined} label="Export CSV" />
          </div>
        }
        tabs={[
          { id: 'journal', label: 'Journal', content: <JournalTable month={month} /> },
          {
            id: 'accounts',
            label:
              missing.length === 0
                ? 'Accounts'
                : `Accounts ${used.length - missing.length} of ${used.length}`,
            content: <Accounts accounts={month.accounts} program={program} />,
          },
        ]}
      />
    </Section>
  );
}

/** A journal as written by hand: the debit first, the credit set in, both columns closed by one double rule. */
function JournalTable({ month: { journal, accounts } }: { month: Month }) {
  if (journal.entries.length === 0) {
    return <EmptyState title="Nothing was posted" hint="Entries of this month appear here." />;
  }
  const chart = new Map(accounts.map((one) => [one.account, one]));
  return (
    <ScrollBox label="Journal">
      <table className="table journal">
        <caption className="vh">Journal of the month</caption>
        <thead>
          <tr>
            <th scope="col" className="journal__what">
              What
            </th>
            <th scope="col">Account</th>
            <th scope="col" className="journal__code">
              Code
            </th>
            <th scope="col" className="journal__amount">
              Debit
            </th>
            <th scope="col" className="journal__amount">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {journal.entries.flatMap(({ kind, what, detail, lines }) =>
            lines.map(({ account, debit, credit }, index) => (
              <tr
                key={`${kind} ${account} ${debit === null ? 'credit' : 'debit'}`}
                className={index === lines.length - 1 ? 'journal__last' : undefined}
              >
                <td className={index === 0 ? 'journal__what' : 'journal__what meta'}>
                  {index === 0 ? what : index === 1 ? detail : ''}
                </td>
                <td className={debit === null ? 'journal__set-in' : undefined}>
                  {chart.get(account)?.name ?? JOURNAL_ACCOUNT_WORDS[account].name}
                </td>
                <td className="journal__code">{chart.get(account)?.code ?? ''}</td>
                <td className="journal__amount">{debit !== null && <Money amount={debit} />}</td>
                <td className="journal__amount">{credit !== null && <Money amount={credit} />}</td>
              </tr>
            )),
          )}
        </tbody>
        <tfoot>
          <tr>
            <td className="journal__what">{counted(journal.entries.length, 'kind')}</td>
            <td>Debit and credit are equal</td>
            <td className="journal__code">{'\u00a0'}</td>
            <td className="journal__amount">
              <Money amount={journal.total} />
            </td>
            <td className="journal__amount">
              <Money amount={journal.total} />
            </td>
          </tr>
        </tfoot>
      </table>
    </ScrollBox>
  );
}

function Accounts({ accounts, program }: { accounts: Month['accounts']; program: string }) {
  const [mapped, setMapped] = useState<Month['accounts'][number]>();
  return (
    <>
      <ScrollBox label="Accounts">
        <table className="table chart-map">
          <caption className="vh">Purser accounts and where they go</caption>
          <thead>
            <tr>
              <th scope="col">In Purser</th>
              <th scope="col" className="chart-map__holds">
                What it holds
              </th>
              <th scope="col" className="chart-map__to">{`In ${program}`}</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((one) => {
              const { name, holds } = JOURNAL_ACCOUNT_WORDS[one.account];
              const isMissing = one.code === null;
              return (
                <tr key={one.account}>
                  <td className="strong">{name}</td>
                  <td className="chart-map__holds muted">{holds}</td>
                  <td>
                    <span className={isMissing && one.isUsed ? 'chart-map__missing' : undefined}>
                      <Button
                        aria-label={`${isMissing ? 'Choose an account' : `${one.code} ${one.name}`}, ${name}`}
                        onPress={() => setMapped(one)}
                      >
                        {isMissing ? 'Choose an account' : `${one.code} ${one.name}`}
                        <Icon of={ChevronDown} size={16} />
                      </Button>
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollBox>
      {mapped !== undefined && (
        <MapAccountDialog account={mapped} onClose={() => setMapped(undefined)} />
      )}
    </>
  );
}
