/** A channel to the other tabs of the browser. */
export interface TabChannel<Message> {
  post: (message: Message) => void;
  close: () => void;
}

/**
 * Opens a channel to the other tabs. Browsers that refuse storage refuse channels too. Each tab then works alone,
 * and learns of a change when it next asks the server.
 */
export function openTabChannel<Message>(
  name: string,
  onMessage?: (message: Message) => void,
): TabChannel<Message> {
  let channel: BroadcastChannel | null = null;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    // Each tab works alone.
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage?.(data));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    post: (message) => channel?.postMessage(message),
    close: () => channel?.close(),
  };
}
