import { nextCell } from './next-cell.ts';

/** Moves the focus by the arrow keys, Home and End among many buttons, of which one is in the order of Tab. */
export function moveFocus(event: KeyboardEvent): void {
  const root = event.currentTarget as HTMLElement;
  const cells = [...root.querySelectorAll<HTMLElement>('button[tabindex]')];
  const at = cells.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? undefined : nextCell(event.key, { at, places: cells.map(placeOf) });
  if (next === undefined) return;
  event.preventDefault();
  cells[next]?.focus();
}

const placeOf = (cell: HTMLElement) => {
  const { left, bottom } = cell.getBoundingClientRect();
  return { left, top: bottom };
};
