import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { doubtSentence } from './image-check.ts';
import type { Upload } from './use-upload.ts';

/** Messages about an upload that keeps nothing on screen. */
export const UPLOAD_TOASTS = {
  onRefused: (message: string) => toast({ title: 'Invalid File', message, tone: 'critical' }),
  onFailed: () =>
    toast({
      title: 'Upload Failed',
      message: 'There was an error uploading your image',
      tone: 'critical',
    }),
};

/** State of an upload: its progress, the reason of its refusal, or advice about the image. */
export function UploadState({ label, upload }: { label: string; upload: Upload }) {
  const { file, share, problem, canRetry, doubts, send } = upload;
  if (problem !== null) {
    return (
      <Notice tone="critical" role="alert">
        {problem}
      </Notice>
    );
  }
  if (share !== null) return <UploadProgress label={label} share={share} />;
  if (canRetry && file !== null) {
    return (
      <Notice tone="critical">
        <p>The image did not reach the server.</p>
        <Button shape="small" className="mt-2" onPress={() => send(file)}>
          Try again
        </Button>
      </Notice>
    );
  }
  if (doubts.length === 0) return null;
  return (
    <Notice tone="caution" role="status">
      {doubtSentence(doubts)}
    </Notice>
  );
}

function UploadProgress({ label, share }: { label: string; share: number }) {
  const percent = Math.round(share * 100);
  // All has left; the server decodes, cleans and encrypts it.
  const words = percent === 100 ? 'Checking the image' : `Uploading, ${percent}%`;
  return (
    <div className="upload-progress">
      <ProgressBar label={`Upload of ${label}`} value={percent} valueText={words} />
      <p className="meta num">{words}</p>
    </div>
  );
}
