import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { EventTopic } from '#contract/live-topics.ts';
import { ApiError } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { imageProblem, judgeImage, type ImageDoubt } from './image-check.ts';

export interface Upload {
  /** The image on its way or just arrived; null before the first. */
  file: File | null;
  /** Address from which this page can show it. */
  preview: string | null;
  /** 0 to 1 while it is on its way, else null. */
  share: number | null;
  /** Why the file was refused, by this screen or the server. */
  problem: string | null;
  /** It did not get through: it can be sent again as it is. */
  canRetry: boolean;
  doubts: readonly ImageDoubt[];
  send: (file: File) => void;
}

interface UploadHandlers {
  /** The file was refused for good. Its reason is in `problem` too. */
  onRefused?: (message: string) => void;
  /** The server keeps it as a JPEG, and calls it so; `file` has the name the person knows. */
  onUploaded: (file: File) => void;
  /** It did not get through. */
  onFailed: () => void;
}

/** Refusals after which the same image can be sent again: not signed in, or too many requests. */
const PASSING: readonly number[] = [401, 429];

function isForGood(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status } = error.problem;
  return status < 500 && !PASSING.includes(status);
}

/** Target of an upload. `sendImage` reports the share sent, 0 to 1, as `uploadFile` does. */
interface UploadTarget {
  sendImage: (image: File, onProgress: (share: number) => void) => Promise<unknown>;
  /** Live topic that changes once it is there. */
  topic: EventTopic;
}

/** Uploads images to one place, one at a time; what is on its way outlives the part that shows it. */
export function useUpload({ sendImage, topic }: UploadTarget, handlers: UploadHandlers): Upload {
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<File>(null);
  const [doubts, setDoubts] = useState<readonly ImageDoubt[]>([]);

  function show(image: File | null): void {
    if (preview !== null) URL.revokeObjectURL(preview);
    setPreview(image === null ? null : URL.createObjectURL(image));
    setFile(image);
  }

  function refuse(message: string): void {
    setProblem(message);
    latest.current = null;
    show(null);
    setDoubts([]);
    handlers.onRefused?.(message);
  }

  const upload = useMutation({
    // Without a connection it fails immediately and says so, instead of waiting for one in silence.
    networkMode: 'always',
    mutationFn: (image: File) => sendImage(image, setShare),
    onSuccess: (_, image) => {
      handlers.onUploaded(image);
      markStale(queryClient, topic);
    },
    onError: (error) => {
      if (isForGood(error)) refuse(error.message);
      else handlers.onFailed();
    },
  });

  async function judge(image: File): Promise<void> {
    const found = await judgeImage(image);
    // Another image may have been chosen in between.
    if (latest.current === image) setDoubts(found);
  }

  function send(image: File): void {
    if (upload.isPending) return;
    setProblem(null);
    setDoubts([]);
    const message = imageProblem(image);
    if (message !== undefined) {
      refuse(message);
      return;
    }
    show(image);
    setShare(0);
    upload.mutate(image);
    latest.current = image;
    void judge(image);
  }

  return {
    file,
    preview,
    share: upload.isPending ? share : null,
    problem,
    canRetry: upload.isError && problem === null,
    doubts,
    send,
  };
}
