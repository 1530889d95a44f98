import { Moment } from '../../parts/section.tsx';
import { foldPasses } from '../../state/fold-passes.ts';
import type { PassView } from '../../state/types.ts';
import { timeOfDay } from '../../state/words.ts';

/** The last passes over an instance, which explain its state. */
export function History({
  instanceId,
  passes,
}: {
  readonly instanceId: string;
  readonly passes: readonly PassView[];
}) {
  const own = foldPasses(passes.filter(({ subject }) => subject === instanceId));
  if (own.length === 0) return null;
  return (
    <details class="history">
      <summary>Its passes</summary>
      <ol>
        {own.map((pass) => (
          <li key={pass.number} data-outcome={pass.outcome}>
            <Moment at={pass.firstAt} text={timeOfDay(pass.firstAt)} />
            <span>
              {pass.reason}
              {pass.times > 1 && <span class="quiet"> ×{pass.times}</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
