import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Check, Pencil, Trash2 } from 'lucide-react';
import { use, useState } from 'react';
import { DialogTrigger, OverlayTriggerStateContext, Popover } from 'react-aria-components';
import type { SavedView, ListDeclaration } from '#contract/api.ts';
import { SAVED_VIEWS_FULL } from '#contract/errors/company.ts';
import { MAX_SAVED_VIEWS } from '#contract/limits.ts';
import { firstView } from '#contract/list.ts';
import { isViewedList, type ViewedList, type ViewWords } from '#contract/saved-views.ts';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { apiQuery } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { useKeptFocus } from '#web/ui/use-settled-focus.ts';
import { useAction } from './action.tsx';
import { loadedDialog } from './loaded-dialog.tsx';
import { LoadedQuery } from './loaded-query.tsx';
import type { Naming } from './saved-view-dialog.tsx';
import { PARTIAL_VIEW } from './saved-view-href.ts';
import { offerUndo } from './undo.ts';
import type { ListState } from './use-list.ts';
import './saved-views.css';

const SavedViewDialog = loadedDialog(() =>
  import('./saved-view-dialog.tsx').then((file) => file.SavedViewDialog),
);

/** The views that an admin keeps of a list, behind a button; nothing for a list that has none. */
export function SavedViews<List extends ListDeclaration>({ state }: { state: ListState<List> }) {
  const { rows } = state.list.operations;
  if (!isViewedList(rows)) return null;
  const view: ViewWords = state.view;
  const first: Record<string, unknown> = firstView(state.list);
  return (
    <ViewsButton
      list={rows}
      view={view}
      isFirst={Object.entries(view).every(([name, value]) => value === first[name])}
      onOpen={(words) => state.change(words as typeof state.address)}
    />
  );
}

interface ViewsProps {
  list: ViewedList;
  /** The filters and the order shown now. */
  view: ViewWords;
  /** True if they are those of the list's first view. */
  isFirst: boolean;
  onOpen: (view: ViewWords) => void;
}

function ViewsButton(props: ViewsProps) {
  const views = useQuery(apiQuery('adminListSavedViews', {}));
  const [naming, setNaming] = useState<Naming>();
  const own = views.data?.items.filter(({ list }) => list === props.list) ?? [];
  const current = own.find(({ view }) => isSame(view, props.view));
  return (
    <>
      <DialogTrigger>
        <Button
          className="views__button"
          aria-label={current === undefined ? 'Views' : `Views: ${current.name}`}
        >
          <Icon of={Bookmark} size={16} />
          <span className="views__current">{current?.name ?? 'Views'}</span>
        </Button>
        <Popover className="popover views" placement="bottom end" offset={4}>
          <LoadedQuery query={views} what="your views" lines={3}>
            {({ items }) => (
              <ViewList
                {...props}
                views={own}
                current={current}
                isFull={items.length >= MAX_SAVED_VIEWS}
                onName={setNaming}
              />
            )}
          </LoadedQuery>
        </Popover>
      </DialogTrigger>
      {naming !== undefined && (
        <SavedViewDialog naming={naming} onClose={() => setNaming(undefined)} />
      )}
    </>
  );
}

interface ViewListProps extends ViewsProps {
  views: readonly SavedView[];
  current: SavedView | undefined;
  /** True if an admin can keep no more of them, in all lists. */
  isFull: boolean;
  onName: (naming: Naming) => void;
}

/** The kept views of a list, and what can be done with each. Exported for the tests. */
export function ViewList(props: ViewListProps) {
  const { list, view, views, current, onOpen, onName } = props;
  const popover = use(OverlayTriggerStateContext);
  const kept = useKeptFocus<HTMLDivElement>();
  const remove = useDeleteView();

  function name(naming: Naming): void {
    popover?.close();
    onName(naming);
  }

  return (
    <div ref={kept} tabIndex={-1}>
      <h2 className="views__head section-title">Views</h2>
      {views.length === 0 && <p className="views__none muted">No saved views of this list yet.</p>}
      <ul className="views__list">
        {views.map((saved) => (
          <ViewRow
            key={saved.id}
            saved={saved}
            isCurrent={saved === current}
            onOpen={() => {
              popover?.close();
              onOpen(saved.view);
              if (saved.isPartial) toast(PARTIAL_VIEW);
            }}
            onRename={() => name({ kind: 'rename', saved })}
            onDelete={() => remove.mutate(saved)}
          />
        ))}
      </ul>
      <div className="views__foot">
        <Button
          shape="text"
          why={whyUnsaved(props)}
          onPress={() => name({ kind: 'save', list, view })}
        >
          Save this view…
        </Button>
      </div>
    </div>
  );
}

/** Reason why the shown view cannot be saved; undefined if it can. */
function whyUnsaved({ isFirst, current, isFull }: ViewListProps): string | undefined {
  if (isFirst) return 'Search, filter or sort the list first.';
  if (current !== undefined) return 'This view is already saved.';
  return isFull ? SAVED_VIEWS_FULL : undefined;
}

interface ViewRowProps {
  saved: SavedView;
  isCurrent: boolean;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
}

function ViewRow({ saved: { name }, isCurrent, onOpen, onRename, onDelete }: ViewRowProps) {
  return (
    <li className="views__item">
      <Button
        kind="quiet"
        className="views__open"
        aria-label={isCurrent ? `${name} (shown now)` : name}
        onPress={onOpen}
      >
        <span className="views__name">{name}</span>
        {isCurrent && <Icon of={Check} size={16} />}
      </Button>
      <IconButton icon={Pencil} isSmall label={`Rename: ${name}`} onPress={onRename} />
      <IconButton icon={Trash2} isSmall label={`Delete: ${name}`} onPress={onDelete} />
    </li>
  );
}

function useDeleteView() {
  const queryClient = useQueryClient();
  return useAction({
    send: ({ id }: SavedView) => call('adminDeleteView', { params: { id } }),
    topics: ['saved-views'],
    failed: 'The view could not be deleted',
    onDone: (_, { id, name }) =>
      offerUndo({
        title: 'View Deleted',
        message: name,
        undo: async () => {
          await call('adminRestoreView', { params: { id } });
          markStale(queryClient, 'saved-views');
        },
        failed: 'The view could not be restored',
      }),
  });
}

function isSame(one: ViewWords, other: ViewWords): boolean {
  return Object.entries(one).every(([name, value]) => other[name] === value);
}
