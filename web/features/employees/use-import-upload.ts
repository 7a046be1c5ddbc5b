import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { IMPORT_MAX_BYTES } from '#contract/employee-import.ts';
import { errorSentence } from '#contract/errors.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { uploadFile } from '#web/api/upload.ts';

export interface ImportUpload {
  send: (file: File) => void;
  /** The file on its way or the last one that was refused. */
  fileName: string | undefined;
  /** 0 to 1 while it is on its way; 1 while the server still checks it. */
  share: number | undefined;
  /** Why the last one was refused. */
  problem: string | undefined;
}

/** Sends a CSV file of employees to be checked. */
export function useImportUpload({ onChecked }: { onChecked: () => void }): ImportUpload {
  const queryClient = useQueryClient();
  const [share, setShare] = useState(0);
  const [refused, setRefused] = useState<string>();
  const upload = useMutation({
    networkMode: 'always',
    mutationFn: (file: File) =>
      uploadFile('adminUploadImport', { query: { fileName: file.name } }, file, setShare),
    onSuccess: () => {
      markStale(queryClient, 'imports');
      onChecked();
    },
    // Of the file before nothing may be left.
    onError: () => markStale(queryClient, 'imports'),
  });
  return {
    send: (file) => {
      if (upload.isPending) return;
      setShare(0);
      upload.reset();
      // Not sent only to be refused.
      const isTooLarge = file.size > IMPORT_MAX_BYTES;
      setRefused(isTooLarge ? errorSentence('import_too_large') : undefined);
      if (!isTooLarge) upload.mutate(file);
    },
    fileName: upload.variables?.name,
    share: upload.isPending ? share : undefined,
    problem:
      refused ??
      (upload.isError
        ? errorMessage(upload.error, 'The file was not sent. Please try again.')
        : undefined),
  };
}
