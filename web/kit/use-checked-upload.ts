import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorSentence, type ErrorCode } from '#contract/errors.ts';
import { errorMessage } from '#web/api/query.ts';

interface CheckedUploadOptions<Reading, Check extends { hash: string }, Done> {
  /** Most bytes of the file, and the refusal of a larger one, which is not sent. */
  mostBytes: number;
  tooLarge: ErrorCode;
  /** Sends the file to be checked, read in this way. */
  check: (file: File, reading: Reading) => Promise<Check>;
  /** Sends the file that was checked, by its hash. */
  send: (file: File, hash: string) => Promise<Done>;
  onSent: (done: Done) => Promise<void> | void;
}

/** Chooses a file, has the server check it, and sends the one that was checked. */
export function useCheckedUpload<Reading, Check extends { hash: string }, Done>({
  mostBytes,
  tooLarge,
  check: checkFile,
  send: sendFile,
  onSent,
}: CheckedUploadOptions<Reading, Check, Done>) {
  const [file, setFile] = useState<File>();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const [latest, setLatest] = useState<Check>();
  const check = useMutation({
    networkMode: 'always',
    mutationFn: ({ of, reading }: { of: File; reading: Reading }) => checkFile(of, reading),
  });
  const send = useMutation({
    networkMode: 'always',
    mutationFn: ({ of, hash }: { of: File; hash: string }) => sendFile(of, hash),
    onSuccess: onSent,
  });
  const checkAgain = (of: File, reading: Reading) => {
    send.reset();
    // Not called for a check that another one, or another file, has replaced.
    check.mutate({ of, reading }, { onSuccess: setLatest });
  };
  const problem = send.error ?? check.error;
  const reply = check.data;
  return {
    file,
    /** Forgets the file, so that another one is chosen. */
    drop: () => {
      setFile(undefined);
      setLatest(undefined);
      check.reset();
      send.reset();
    },
    /** Refusal of a file that is too large. */
    tooLarge: isTooLarge ? errorSentence(tooLarge) : undefined,
    choose: async (chosen: File, reading: Reading) => {
      setIsTooLarge(chosen.size > mostBytes);
      if (chosen.size > mostBytes) return;
      // The file may be changed or moved while this page is open.
      const kept = new File([await chosen.arrayBuffer()], chosen.name, { type: 'text/csv' });
      setFile(kept);
      setLatest(undefined);
      checkAgain(kept, reading);
    },
    checkAgain,
    reply,
    /** Newest reply about the file. It stays while the file is read in another way, and when that is refused. */
    latest: reply ?? latest,
    isChecking: check.isPending,
    /** Reply about the file that is chosen now; undefined while it is checked, and after a refusal. */
    checked: problem === null && !check.isPending ? reply : undefined,
    problem:
      problem === null
        ? undefined
        : errorMessage(problem, 'The file was not sent. Please try again.'),
    isSending: send.isPending,
    /** Sends the file that was checked last. */
    send: () => {
      if (file !== undefined && reply !== undefined) send.mutate({ of: file, hash: reply.hash });
    },
  };
}
