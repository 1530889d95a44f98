/**
 * Makes a change of the page and keeps the focus over it. An instance that begins to leave has its card in another place: the focus
 * follows to the same button there. If that button is gone, the next Tab starts at the content of the page instead of its top.
 */
export function keepingFocus(change: () => void): void {
  const focused = document.activeElement;
  const card = focused?.closest('.card')?.id;
  change();
  if (!focused || focused === document.body || focused === document.activeElement) return;
  // A line that has moved in its list is still there, and the browser has taken the focus from it.
  if (focused.isConnected && focused instanceof HTMLElement) return focused.focus({ preventScroll: true });
  heirOf(focused, card)?.focus({ preventScroll: true });
  focusPageIfLost();
}

/** Focuses the page if nothing has the focus, as after a confirmation about an instance that has moved. */
export function focusPageIfLost(): void {
  const { activeElement, body } = document;
  // A dialog that was just closed has it until the next frame.
  if (activeElement === body || activeElement?.closest('dialog:not([open])'))
    document.getElementById('page')?.focus({ preventScroll: true });
}

/** What has the words of the element on the line of its instance. */
function heirOf({ tagName, textContent }: Element, card = ''): HTMLElement | null | undefined {
  const now = document.getElementById(card);
  const same = [...(now?.querySelectorAll<HTMLElement>(tagName) ?? [])].find(
    (one) => one.textContent === textContent,
  );
  return same ?? now?.querySelector('button');
}
