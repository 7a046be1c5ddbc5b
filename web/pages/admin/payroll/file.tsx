import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { apiQuery } from '#web/api/query.ts';
import { FileAmounts } from '#web/features/payroll/drafts/file-amounts.tsx';
import { DEPARTMENT_LABELS } from '#web/features/payroll/words.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';

/** `/admin/payroll/file?draft=<id>`: fills in the amounts of that draft. */
export function PayrollFilePage() {
  const { draft: id } = useSearch({ from: '/admin/admin/payroll/file' });
  if (id === undefined) {
    return (
      <>
        <Back />
        <ScreenHead />
        <EmptyState
          title="A file fills in the amounts of a payroll"
          hint="Choose each person’s own amount, and From a file."
          action={<LinkButton href="/admin/payroll">Send Payroll</LinkButton>}
        />
      </>
    );
  }
  return <OfDraft id={id} />;
}

function OfDraft({ id }: { id: string }) {
  const query = useQuery(apiQuery('adminGetPayrollDraft', { params: { id } }));
  const draft = query.data;
  return (
    <>
      <Back id={id} />
      <ScreenHead
        subtitle={
          draft &&
          `${draft.name}, ${DEPARTMENT_LABELS[draft.department]}. Nothing is filled in until you confirm.`
        }
      />
      <LoadedQuery query={query} what="the draft" lines={8}>
        {(loaded) => <FileAmounts draft={loaded} />}
      </LoadedQuery>
    </>
  );
}

function Back({ id }: { id?: string }) {
  return (
    <p className="mb-3">
      <TextLink href={id === undefined ? '/admin/payroll' : `/admin/payroll?draft=${id}`}>
        Send Payroll
      </TextLink>
    </p>
  );
}
