/** Whether a key is for what has the focus: a field that is typed into, or a menu. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="menu"]') !== null
  );
}
