import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { apiQuery } from '#web/api/query.ts';
import { DraftScreen } from '#web/features/payroll/drafts/draft-screen.tsx';
import { FileAmounts } from '#web/features/payroll/drafts/file-amounts.tsx';
import { DEPARTMENT_LABELS } from '#web/features/payroll/words.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';

/** `/admin/payroll/file?draft=<id>`: fills in the amounts of that draft. */
export function PayrollFilePage() {
  const { draft: id } = useSearch({ from: '/admin/admin/payroll/file' });
  return (
    <DraftScreen
      id={id}
      empty={{
        title: 'A file fills in the amounts of a payroll',
        hint: 'Choose each person’s own amount, and From a file.',
      }}
    >
      {(draftId) => <OfDraft id={draftId} />}
    </DraftScreen>
  );
}

function OfDraft({ id }: { id: string }) {
  const query = useQuery(apiQuery('adminGetPayrollDraft', { params: { id } }));
  const draft = query.data;
  return (
    <>
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
