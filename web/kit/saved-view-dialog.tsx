import type { SavedView } from '#contract/api.ts';
import { savedViewRules, type ViewedList, type ViewWords } from '#contract/saved-views.ts';
import { call } from '#web/api/client.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { TaskDialog } from './form-dialog.tsx';
import { checkRules } from './form-state.ts';

/** Subject of the dialog: a new view of a list, or one that was kept already. */
export type Naming =
  | { kind: 'save'; list: ViewedList; view: ViewWords }
  | { kind: 'rename'; saved: SavedView };

/** Asks for the name of a view and keeps it. Shown while it is mounted. */
export function SavedViewDialog({ naming, onClose }: { naming: Naming; onClose: () => void }) {
  const isNew = naming.kind === 'save';
  return (
    <TaskDialog
      title={isNew ? 'Save this view' : 'Rename view'}
      initial={{ name: isNew ? '' : naming.saved.name }}
      check={(values) => checkRules(values, savedViewRules)}
      send={({ name }) =>
        isNew
          ? call('adminSaveView', { body: { list: naming.list, name, view: naming.view } })
          : call('adminRenameView', { params: { id: naming.saved.id }, body: { name } })
      }
      places={{ saved_view_name_taken: 'name' }}
      topics={['saved-views']}
      done={({ name }) => ({ title: isNew ? 'View Saved' : 'View Renamed', message: name })}
      submit={{ label: isNew ? 'Save View' : 'Rename View', pending: 'Saving' }}
      onClose={onClose}
    >
      {({ name }) => (
        <TextField
          label="Name"
          isRequired
          autoComplete="off"
          hint={
            isNew
              ? 'Saves the search, the filters and the order. Only you can see it.'
              : 'Only you can see it.'
          }
          {...name}
        />
      )}
    </TaskDialog>
  );
}
