import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditRole, AuditThing } from '#contract/audit.ts';
import { auditList } from '#contract/lists.ts';
import { auditColumns } from '#web/features/audit/audit-columns.tsx';
import { AuditDetails } from '#web/features/audit/audit-details.tsx';
import { ROLE_LABELS, THING_LABELS } from '#web/kit/audit-words.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { useCompany } from '#web/lib/company.ts';
import { ListPage } from '#web/kit/list-page.tsx';
import { useList } from '#web/kit/use-list.ts';
import { Button } from '#web/ui/button.tsx';

const WORDS = {
  label: 'Audit trail, newest first',
  what: 'the audit trail',
  itemNoun: 'records',
  search: { label: 'Search the audit trail', placeholder: 'Search the person it concerns' },
  none: { title: 'Nothing is recorded yet' },
  noMatch: 'No records found',
};

const FILTERS = {
  role: { label: 'Who', all: 'Anyone', nameOf: (role: AuditRole) => ROLE_LABELS[role] },
  thing: { label: 'About', nameOf: (thing: AuditThing) => THING_LABELS[thing] },
  from: { label: 'From' },
  to: { label: 'To' },
};

/** `/admin/audit`; `?record=` opens one; `?person=`, `?by=` and `?subject=` are set by links. */
export function AuditPage() {
  const { currency } = useCompany();
  const list = useList(auditList);
  const { record } = useSearch({ from: '/admin/admin/audit' });
  const navigate = useNavigate({ from: '/admin/audit' });
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ record: _, ...view }) => ({ ...view, ...(id && { record: id }) }),
    });
  const { by, person, subject } = list.address;
  const isOfOne = by !== '' || person !== '' || subject !== '';
  return (
    <>
      <ScreenHead
        subtitle="Every action, who did it and from where. Nothing here can be changed or removed."
        actions={<ExportLink href={list.exportHref} label="Export CSV" />}
      />
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={auditColumns(currency, ({ id }) => open(id))}
        isExportInHead
        summary={
          isOfOne && (
            <p className="mb-3 muted">
              {subject === '' ? 'Filtered to one person.' : 'Filtered to one item.'}{' '}
              <Button shape="text" onPress={() => list.change({ by: '', person: '', subject: '' })}>
                Show All
              </Button>
            </p>
          )
        }
      />
      {record !== undefined && <AuditDetails id={record} onClose={() => open(undefined)} />}
    </>
  );
}
