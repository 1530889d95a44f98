import { Capped } from '../../parts/capped.tsx';
import { Copy } from '../../parts/copy.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { ProblemView } from '../../state/types.ts';

/** Problems that need an operator, in the order of `drover status`. */
export const Problems = memo(({ problems }: { readonly problems: readonly ProblemView[] }) =>
  problems.length === 0 ? null : (
    <Panel id="problems" title="Needs an operator">
      <Capped items={problems} most={20}>
        {({ subject, message, severity, command }) => (
          <li key={`${subject} ${message}`} data-severity={severity}>
            <span class="name">{subject}</span>
            <span>{message}</span>
            {command && (
              <span class="command">
                <code>{command}</code>
                <Copy text={command} what={`the command for ${subject}`} />
              </span>
            )}
          </li>
        )}
      </Capped>
    </Panel>
  ),
);
