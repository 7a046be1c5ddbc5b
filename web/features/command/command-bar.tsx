import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { actOnRow } from '#web/kit/row-keys.ts';
import { isTyping } from '#web/lib/page-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Keys } from './keys.tsx';
import { createReader, type Wish } from './shortcuts.ts';
import { areSingleKeysOn } from './single-keys.ts';

const CommandPalette = lazy(async () => {
  const { CommandPalette: component } = await import('./command-palette.tsx');
  return { default: component };
});
const ShortcutSheet = lazy(async () => {
  const { ShortcutSheet: component } = await import('./shortcut-sheet.tsx');
  return { default: component };
});

/** Search and commands in the top bar of the back office, with their keyboard shortcuts. */
export function CommandBar() {
  const [open, setOpen] = useState<'palette' | 'sheet' | null>(null);
  useShortcuts(open !== null, setOpen);
  const close = () => setOpen(null);
  return (
    <>
      <Button
        kind="quiet"
        className="topbar__find"
        aria-label="Search people, screens and actions"
        onPress={() => setOpen('palette')}
      >
        <Icon of={Search} size={16} />
        <span className="topbar__find-words">Search</span>
        <Keys names={['Ctrl', 'K']} />
      </Button>
      <Suspense fallback={null}>
        {open === 'palette' && (
          <CommandPalette onClose={close} onShortcuts={() => setOpen('sheet')} />
        )}
        {open === 'sheet' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}

/**
 * Listens to keys on the whole page, except while the user types or a dialog is open.
 *
 * @param isOpen whether the palette or the sheet is open, which may still be loading
 */
function useShortcuts(isOpen: boolean, show: (part: 'palette' | 'sheet') => void): void {
  const router = useRouter();
  useEffect(() => {
    if (isOpen) return;
    const read = createReader(() => performance.now());

    function grant(wish: Wish): boolean {
      switch (wish.kind) {
        case 'palette':
        case 'sheet':
          show(wish.kind);
          return true;
        case 'go':
          void router.navigate({ href: wish.href });
          return true;
        case 'find':
          return focusOn('#main input[type="search"]');
        case 'export':
          return press('#main a[download]');
        case 'row':
          return actOnRow(wish.act);
      }
    }

    function follow(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.repeat || isDialogOpen()) return;
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (!isPalette && isTyping(event.target)) return;
      const wish = read(event, areSingleKeysOn());
      if (wish !== null && grant(wish)) event.preventDefault();
    }

    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, [isOpen, router, show]);
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

function focusOn(selector: string): boolean {
  const field = document.querySelector<HTMLInputElement>(selector);
  field?.focus();
  field?.select();
  return field !== null;
}

function press(selector: string): boolean {
  const link = document.querySelector<HTMLAnchorElement>(selector);
  link?.click();
  return link !== null;
}
