import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { ProblemView } from '../../state/types.ts';

/** What needs a person. */
export const Problems = memo(({ problems }: { readonly problems: readonly ProblemView[] }) =>
  problems.length === 0 ? null : (
    <Panel id="problems" title="Needs a person">
      <ul>
        {problems.map(({ subject, message }) => (
          <li key={`${subject} ${message}`}>
            <span class="name">{subject}</span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </Panel>
  ),
);
