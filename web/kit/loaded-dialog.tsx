import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { toast } from '#web/ui/toast-queue.ts';

/**
 * A dialog whose code is fetched when it is first opened: a screen then loads as much sooner as the
 * dialogs are large that most visits do not open. Nothing is shown until it is loaded. Where the code cannot be
 * fetched, the dialog closes and a toast says so; opening it again tries again.
 */
export function loadedDialog<Props extends { onClose?: (() => void) | undefined }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;

  return function LoadedDialog(props: Props) {
    const [Dialog, setDialog] = useState(() => loaded);
    const isLoaded = Dialog !== undefined;
    const close = useEffectEvent(() => props.onClose?.());
    useEffect(() => {
      if (isLoaded) return;
      let isOpen = true;
      async function open(): Promise<void> {
        try {
          const component = await load();
          loaded = component;
          if (isOpen) setDialog(() => component);
        } catch {
          if (!isOpen) return;
          toast({
            title: 'This could not be opened',
            message: 'Check your connection and try again.',
            tone: 'critical',
          });
          close();
        }
      }
      void open();
      return () => {
        isOpen = false;
      };
    }, [isLoaded]);
    return isLoaded ? <Dialog {...props} /> : null;
  };
}
