import { Capped } from '../../parts/capped.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { ProblemView } from '../../state/types.ts';

/** Problems that need an operator. */
export const Problems = memo(({ problems }: { readonly problems: readonly ProblemView[] }) =>
  problems.length === 0 ? null : (
    <Panel id="problems" title="Needs an operator">
      <Capped items={problems} most={20}>
        {({ subject, message }) => (
          <li key={`${subject} ${message}`}>
            <span class="name">{subject}</span>
            <span>{message}</span>
          </li>
        )}
      </Capped>
    </Panel>
  ),
);
