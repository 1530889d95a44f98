/**
 * Makes a change of the page and keeps the focus over it. An instance that begins to leave has its card in another place: the focus
 * follows to the same button there. If that button is gone, the next Tab starts at the content of the page instead of its top.
 */
export function keepingFocus(change: () => void): void {
  const focused = document.activeElement;
  const card = focused?.closest('.card')?.id;
  change();
  if (!focused || focused === document.body || focused.isConnected) return;
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

/** What has the words of the element on the new card of its instance; where that is a closed line, the line. */
function heirOf({ tagName, textContent }: Element, card = ''): HTMLElement | null | undefined {
  const same = [...(document.getElementById(card)?.querySelectorAll<HTMLElement>(tagName) ?? [])].find(
    (one) => one.textContent === textContent,
  );
  return same?.closest('details:not([open])')?.querySelector('summary') ?? same;
}
