import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { apiQuery } from '#web/api/query.ts';
import { useLastUndoable } from '#web/kit/undo.ts';
import { formatCount } from '#web/lib/format.ts';
import { useScreens } from '#web/lib/screens.ts';
import { useSettled } from '#web/lib/typing.ts';
import { Icon } from '#web/ui/icon.tsx';
import { holdToasts, releaseToasts } from '#web/ui/toast-queue.ts';
import { TextButton } from '#web/ui/text-button.tsx';
import { commandsFor, type Command } from './commands.ts';
import { Keys } from './keys.tsx';

const LABEL = 'Search people, screens and actions';
const MOST_PEOPLE = 6;
const MOST_TRANSACTIONS = 4;
/** Minimum length of a search. Fewer letters match nearly everything. */
const LEAST_LETTERS = 3;

interface CommandPaletteProps {
  onClose: () => void;
  onShortcuts: () => void;
}

/** Finds people, screens and common actions by typing. Open while mounted. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  // Keeps the last act undoable while the palette is open.
  useEffect(() => {
    holdToasts();
    return releaseToasts;
  }, []);
  const search = useSettled(typed.trim());
  const isTyping = typed.trim() !== search;
  const screens = useScreens().admin;
  const shell = useQuery(apiQuery('getShell', {}));
  const people = useQuery({
    ...apiQuery('adminListEmployees', { query: { search, pageSize: MOST_PEOPLE } }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const transactions = useQuery({
    ...apiQuery('adminListTransactions', { query: { search, pageSize: MOST_TRANSACTIONS } }),
    enabled: search.length >= LEAST_LETTERS,
    placeholderData: keepPreviousData,
  });
  const views = useQuery(apiQuery('adminListSavedViews', {}));
  const undoable = useLastUndoable();
  const groups = commandsFor({
    typed,
    screens,
    waiting: shell.data?.waiting ?? null,
    people: search === '' ? [] : (people.data?.items ?? []),
    transactions: search.length < LEAST_LETTERS ? [] : (transactions.data?.items ?? []),
    isOutdated: {
      people: isTyping || people.isPlaceholderData,
      transactions: isTyping || transactions.isPlaceholderData,
    },
    views: views.data?.items ?? [],
    undoable,
  });
  const isSearching = isTyping || people.isFetching || transactions.isFetching;

  return (
    <ModalOverlay
      className="scrim scrim--top"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className="dialog palette">
        <Dialog aria-label={LABEL}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField
              className="palette__field"
              aria-label={LABEL}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the palette opens for typing
              autoFocus
            >
              <Icon of={Search} />
              <Input placeholder={LABEL} />
              <Keys names={['Esc']} />
            </SearchField>
            <Menu
              className="palette__list"
              aria-label="Results"
              onClose={onClose}
              renderEmptyState={() => (
                <p className="palette__empty" role="status">
                  {isSearching
                    ? 'Searching'
                    : people.isError || transactions.isError
                      ? 'The search failed. Please try again.'
                      : 'Nothing found'}
                </p>
              )}
            >
              {groups.map(({ label, commands }) => (
                <MenuSection key={label}>
                  <Header className="palette__group">{label}</Header>
                  {commands.map((command) => (
                    <PaletteItem key={command.id} command={command} />
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
          <p className="palette__foot meta">
            <span>
              <Keys names={['↑', '↓']} /> Move
            </span>
            <span>
              <Keys names={['Enter']} /> Open
            </span>
            <TextButton onPress={onShortcuts}>All shortcuts</TextButton>
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteItem({ command }: { command: Command }) {
  const { id, label, detail, count, shortcut, href, onChoose } = command;
  return (
    <MenuItem
      className="palette__item"
      id={id}
      textValue={label}
      {...(href === undefined ? {} : { href })}
      {...(onChoose === undefined ? {} : { onAction: onChoose })}
    >
      <span>{label}</span>
      {detail !== undefined && <span className="palette__sub">{detail}</span>}
      {count !== undefined && (
        <span className="palette__end">
          {formatCount(count)}
          <span className="vh"> waiting</span>
        </span>
      )}
      {shortcut !== undefined && (
        <span className="palette__end">
          <Keys names={[shortcut]} />
        </span>
      )}
    </MenuItem>
  );
}
