import { memo } from '../../parts/memo.ts';
import type { UnknownView } from '../../state/types.ts';

/** What could not be read, and why. */
export const Unknown = memo(({ unknown }: { readonly unknown: readonly UnknownView[] }) =>
  unknown.length === 0 ? null : (
    <ul class="unknown" aria-label="What could not be read">
      {unknown.map(({ what, reason }) => (
        <li key={`${what} ${reason}`}>
          <strong>{what}</strong> <span>{reason}</span>
        </li>
      ))}
    </ul>
  ),
);
