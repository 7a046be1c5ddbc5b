import { call } from '#web/api/client.ts';
import { uploadFile } from '#web/api/upload.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { IMAGE_ACCEPT, IMAGE_RULE } from '#web/kit/image-check.ts';
import { UploadState, UPLOAD_TOASTS } from '#web/kit/upload-state.tsx';
import { useUpload } from '#web/kit/use-upload.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import './profile-photo.css';

interface ProfilePhotoProps {
  name: string;
  avatarUrl: string | null;
}

/** The person's picture, with what can be done about it. */
export function ProfilePhoto({ name, avatarUrl }: ProfilePhotoProps) {
  const upload = useUpload(
    {
      topic: 'sessions',
      sendImage: (image, onProgress) => uploadFile('uploadMyAvatar', {}, image, onProgress),
    },
    {
      onUploaded: () => toast({ title: 'Photo changed', tone: 'positive' }),
      ...UPLOAD_TOASTS,
    },
  );
  const remove = useAction({
    send: () => call('removeMyAvatar'),
    topics: ['sessions'],
    done: { title: 'Photo removed' },
    failed: 'The photo was not removed',
  });
  return (
    <div>
      <div className="profile-photo">
        <Avatar name={name} src={avatarUrl} size="large" />
        <FileButton
          accept={IMAGE_ACCEPT}
          label="Change Photo"
          isDisabled={upload.share !== null}
          onChoose={upload.send}
        >
          Change Photo
        </FileButton>
        {avatarUrl !== null && (
          <ActionButton kind="quiet" action={remove}>
            Remove Photo
          </ActionButton>
        )}
      </div>
      <p className="meta mt-2">{IMAGE_RULE}. You and your company’s administrators see it.</p>
      <UploadState label="Photo" upload={{ ...upload, problem: null, doubts: [] }} />
    </div>
  );
}
