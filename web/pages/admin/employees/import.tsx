import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { EmployeeImport } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { uploadFile } from '#web/api/upload.ts';
import { ImportFile } from '#web/features/employees/import-file.tsx';
import { CsvDrop, Uploading } from '#web/kit/csv-file.tsx';
import { ImportSheet } from '#web/features/employees/import-sheet.tsx';
import { useCsvUpload, type CsvUpload } from '#web/kit/use-csv-upload.ts';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Interval of polling while people are added, in addition to live events, which may be lost. */
const ASK_AGAIN_MS = 2_000;

/** `/admin/employees/import` */
export function ImportEmployeesPage() {
  const query = useQuery({
    ...apiQuery('adminGetImport', {}),
    refetchInterval: ({ state }) => (isMoving(state.data?.latest) ? ASK_AGAIN_MS : false),
  });
  const navigate = useNavigate({ from: '/admin/employees/import' });
  // The rows of another file are seen from the first on.
  const upload = useCsvUpload({
    upload: (file, onProgress) =>
      uploadFile('adminUploadImport', { query: { fileName: file.name } }, file, onProgress),
    onChecked: () => void navigate({ search: {} }),
  });
  return (
    <>
      <p className="mb-3">
        <TextLink href="/admin/employees">Employee Management</TextLink>
      </p>
      <ScreenHead subtitle={subtitleOf(query.data?.latest)} />
      {query.data !== undefined ? (
        <Import one={query.data.latest} upload={upload} />
      ) : (
        <LoadedQuery query={query} what="the import" lines={8} />
      )}
    </>
  );
}

function isMoving(one: EmployeeImport | null | undefined): boolean {
  return one?.status === 'reading' || one?.status === 'importing';
}

function subtitleOf(one: EmployeeImport | null | undefined): string {
  return one?.status === 'importing'
    ? 'You can leave this page. The import continues, also if the server restarts, and you are notified when it is done.'
    : 'The file is checked first. Nothing is imported until you confirm.';
}

function Import({ one, upload }: { one: EmployeeImport | null; upload: CsvUpload }) {
  const { data: session } = useSession();
  if (upload.share !== undefined) return <Uploading upload={upload} />;
  return (
    <>
      {upload.problem !== undefined && one !== null && (
        <Notice tone="critical" role="alert">
          {upload.problem}
        </Notice>
      )}
      {one === null ? (
        <CsvDrop upload={upload} rule={FILE_RULE} />
      ) : one.status === 'reading' ? (
        <Notice tone="motion">
          {one.uploadedBy.name} is sending {one.fileName}. Its rows are shown here once they are
          checked.
        </Notice>
      ) : (
        <div className="columns import">
          <ImportFile
            one={one}
            isOwn={one.uploadedBy.id === session?.user?.id}
            onReplace={upload.send}
          />
          <ImportSheet key={one.id} one={one} canMail={session?.confirmsEmail === true} />
        </div>
      )}
    </>
  );
}

const FILE_RULE =
  'A CSV file with Full Name, Email and Department in the first line, up to 25 MB and 100,000 rows. ' +
  'Its values may be separated by commas, semicolons, tabs or bars, and its text may be saved as UTF-8, UTF-16 ' +
  'or Windows-1252, as Excel and other spreadsheet programs do.';
