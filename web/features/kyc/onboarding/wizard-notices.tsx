import type { KycApplication } from '#contract/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Autosave, SaveState } from './autosave.ts';
import { ReviewerNotes } from './reviewer-notes.tsx';
import { sectionNotes } from './wizard-plan.ts';

interface WizardNoticesProps {
  step: number;
  application: KycApplication;
  autosave: Autosave;
  status: SaveState['status'];
}

/** Notices to read before going on with a step. */
export function WizardNotices({ step, application, autosave, status }: WizardNoticesProps) {
  const { resubmissionNotes } = application;
  const isResubmission = application.status === 'resubmit_required';
  return (
    <>
      {status === 'conflict' && (
        <Notice tone="caution" role="alert">
          <p className="strong">This application was changed in another tab or window</p>
          <p>
            Nothing is saved here until you load the newer answers. They replace what you typed into
            the same fields; everything else that you typed is kept.
          </p>
          <Button shape="small" className="mt-2" onPress={() => autosave.loadNewer()}>
            Load the newer answers
          </Button>
        </Notice>
      )}
      {status === 'retrying' && (
        <Notice tone="caution">
          The last changes are not saved yet. Please keep this page open: Purser keeps retrying
          until it is saved.
        </Notice>
      )}
      {isResubmission && (
        <Notice tone="caution">
          <p className="strong">Please correct your application and submit it again</p>
          {resubmissionNotes !== null && (
            <p className="reviewer-notes__words">{resubmissionNotes}</p>
          )}
        </Notice>
      )}
      <ReviewerNotes notes={sectionNotes(step, application)} />
    </>
  );
}
