import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { IMPORT_MAX_BYTES } from '#contract/employee-import.ts';
import { errorSentence } from '#contract/errors.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';

export interface CsvUpload {
  send: (file: File) => void;
  /** File being uploaded, or the last one that was refused. */
  fileName: string | undefined;
  /** Upload progress from 0 to 1. It stays 1 while the server checks the file. */
  share: number | undefined;
  /** Reason the last file was refused. */
  problem: string | undefined;
}

interface CsvUploadOptions<Checked> {
  /** Sends the file to be checked. */
  upload: (file: File, onProgress: (share: number) => void) => Promise<Checked>;
  onChecked: (reply: Checked) => void;
}

/** Uploads a CSV file to be checked. */
export function useCsvUpload<Checked>({
  upload: uploadTo,
  onChecked,
}: CsvUploadOptions<Checked>): CsvUpload {
  const queryClient = useQueryClient();
  const [share, setShare] = useState(0);
  const [refused, setRefused] = useState<string>();
  const upload = useMutation({
    networkMode: 'always',
    mutationFn: (file: File) => uploadTo(file, setShare),
    onSuccess: (reply) => {
      markStale(queryClient, 'imports');
      onChecked(reply);
    },
    // Nothing of the previous file may stay on screen.
    onError: () => markStale(queryClient, 'imports'),
  });
  return {
    send: (file) => {
      if (upload.isPending) return;
      setShare(0);
      upload.reset();
      // A file over the limit is not sent, because the server would refuse it.
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
