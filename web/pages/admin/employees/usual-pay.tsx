import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply, UsualPayImport } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { uploadFile } from '#web/api/upload.ts';
import { CsvDrop, Uploading } from '#web/kit/csv-file.tsx';
import { UsualPayFile } from '#web/features/employees/usual-pay-file.tsx';
import { FileProblems } from '#web/features/employees/usual-pay-file-rows.tsx';
import { useCsvUpload, type CsvUpload } from '#web/kit/use-csv-upload.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

type Checked = RouteReply<'adminUploadUsualPay'>;

/** `/admin/employees/usual-pay` */
export function ImportUsualPayPage() {
  const query = useQuery(apiQuery('adminGetUsualPayImport', {}));
  const [checked, setChecked] = useState<Checked>();
  const upload = useCsvUpload({
    upload: (file, onProgress) =>
      uploadFile('adminUploadUsualPay', { query: { fileName: file.name } }, file, onProgress),
    onChecked: setChecked,
  });
  return (
    <>
      <p className="mb-3">
        <TextLink href="/admin/employees">Employee Management</TextLink>
      </p>
      <ScreenHead subtitle="The file is checked first. Nothing is changed until all rows are right and you confirm." />
      {query.data === undefined ? (
        <LoadedQuery query={query} what="the file" lines={8} />
      ) : (
        <Import one={query.data.latest} checked={checked} upload={upload} />
      )}
    </>
  );
}

interface ImportProps {
  one: UsualPayImport | null;
  /** Result of the last upload of this visit. */
  checked: Checked | undefined;
  upload: CsvUpload;
}

function Import({ one, checked, upload }: ImportProps) {
  if (upload.share !== undefined) return <Uploading upload={upload} />;
  const hasProblems = checked !== undefined && checked.problemCount > 0;
  const isOpen = one !== null && one.status !== 'taken';
  return (
    <>
      {hasProblems && (
        <FileProblems checked={checked} fileName={upload.fileName} isAnotherKept={isOpen} />
      )}
      {one !== null && <UsualPayFile one={one} upload={upload} />}
      {!isOpen && <CsvDrop upload={upload} rule={FILE_RULE} />}
    </>
  );
}

const FILE_RULE =
  'A CSV file with Employee ID or Email, Valid from, and an amount for each payday in a column of each account: ' +
  'Salary Wallet, Savings Account (401k), Retirement (IRA), IRS Account. An empty cell leaves the amount as it is. ' +
  'Up to 10,000 people.';
