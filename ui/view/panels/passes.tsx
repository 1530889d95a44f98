import { memo } from '../../parts/memo.ts';
import { Moment, Panel } from '../../parts/section.tsx';
import { type FoldedPass, foldPasses } from '../../state/fold-passes.ts';
import type { PassView } from '../../state/types.ts';
import { timeOfDay } from '../../state/words.ts';

const shown = 10;

/** The last passes; those that repeat are one. */
export const Passes = memo(({ passes }: { readonly passes: readonly PassView[] }) => (
  <Panel id="passes" title="Last passes">
    {passes.length === 0 ? (
      <p class="nothing">None yet. Terminate an instance to see one.</p>
    ) : (
      <ol>
        {foldPasses(passes)
          .slice(0, shown)
          .map((pass) => (
            <PassRow key={pass.number} pass={pass} />
          ))}
      </ol>
    )}
  </Panel>
));

const PassRow = ({ pass }: { readonly pass: FoldedPass }) => (
  <li data-outcome={pass.outcome}>
    <p class="pass-line">
      <span class="outcome" data-outcome={pass.outcome}>
        {pass.outcome}
      </span>
      <Subject name={pass.subject} />
      <Moment at={pass.at} text={timeOfDay(pass.at)} />
    </p>
    <p class="reason">
      {pass.reason}
      <span class="quiet">{figures(pass)}</span>
    </p>
  </li>
);

/** An instance is a link to it. */
const Subject = ({ name }: { readonly name: string }) =>
  /^i-[0-9a-f]+$/.test(name) ? (
    <a class="subject" href={`#${name}`}>
      {name}
    </a>
  ) : (
    <span class="subject">{name}</span>
  );

function figures({ seconds, afterSeconds, outcome, times, firstAt }: FoldedPass): string {
  const again =
    afterSeconds !== undefined && outcome !== 'done' ? ` · again in ${Math.ceil(afterSeconds)}\u00a0s` : '';
  const repeated = times > 1 ? ` · ${times} times since ${timeOfDay(firstAt)}` : '';
  return ` · took ${seconds.toFixed(1)}\u00a0s${again}${repeated}`;
}
