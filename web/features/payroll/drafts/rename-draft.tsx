import type { PayrollDraft } from '#contract/api.ts';
import { payrollDraftRules } from '#contract/payroll.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { TextField } from '#web/ui/text-field.tsx';

interface RenameDraftProps {
  draft: PayrollDraft;
  onClose: () => void;
}

/** Gives a draft its own name, or back the one after its wallet type and pay date. Open while mounted. */
export function RenameDraft({ draft, onClose }: RenameDraftProps) {
  const { id, version, ownName } = draft;
  return (
    <TaskDialog
      title="Rename Draft"
      initial={{ name: ownName ?? '' }}
      check={(values) =>
        values.name.trim() === '' ? {} : checkRules(values, { name: payrollDraftRules.name })
      }
      send={({ name }) =>
        call('adminSavePayrollDraft', {
          params: { id },
          body: { version, name: name.trim() === '' ? null : name },
        })
      }
      topics={['payroll']}
      done={({ name }) => ({ title: 'Draft Renamed', message: name })}
      submit={{ label: 'Rename Draft', pending: 'Saving' }}
      onClose={onClose}
    >
      {({ name }) => (
        <TextField
          label="Name"
          autoComplete="off"
          hint="Left empty, it is named after its wallet type and pay date."
          {...name}
        />
      )}
    </TaskDialog>
  );
}
