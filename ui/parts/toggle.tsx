import type { ComponentChildren } from 'preact';

/** A button that opens and closes what is below it. A `summary` may contain no other buttons, and these rows do. */
export const Toggle = ({
  isOpen,
  onToggle,
  children,
}: {
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly children: ComponentChildren;
}) => (
  <button type="button" class="toggle" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
    {children}
  </button>
);
