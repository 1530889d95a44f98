import { useContext } from 'preact/hooks';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { Capped } from '../../parts/capped.tsx';
import { DroverCommand } from '../../parts/copy.tsx';
import { Doings } from '../../parts/doing.ts';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import {
  deedsOf,
  isOver,
  mayRetarget,
  nextOf,
  type RollAskedView,
  type RollGroupView,
  type RollNodeView,
  type RollView,
  toneOf,
} from '../../state/rolls.ts';
import { age, clockTime, counted, duration, shortName } from '../../state/words.ts';
import { RollButtons } from './roll-buttons.tsx';

interface RollsProps {
  readonly rolls: readonly RollView[];
  /** In whole minutes. */
  readonly now: number;
}

/** The rolls that have not ended, each with what it does or what holds it; the others in a line each. */
export const Rolls = memo(({ rolls, now }: RollsProps) => {
  const live = rolls.filter((roll) => !isOver(roll));
  const over = rolls.filter(isOver);
  if (rolls.length === 0) return null;
  return (
    <Panel id="rolls" title="Replacement of nodes">
      <Capped items={live} most={20}>
        {(roll) => <Roll key={roll.name} roll={roll} now={now} />}
      </Capped>
      {over.map(({ name, state, since, reason }) => (
        <p key={name} class="quiet over">
          {`${name} is ${state}${since === undefined ? '' : ` since ${clockTime(since, now)}`}: ${reason}`}
        </p>
      ))}
    </Panel>
  );
});

function Roll({ roll, now }: { readonly roll: RollView; readonly now: number }) {
  const { name, state, since, reason, asked, groups, moving } = roll;
  const next = nextOf(roll);
  return (
    <li data-tone={toneOf(roll)}>
      <p class="said">
        <span class="chip" data-state={state}>
          {state}
        </span>
        <span class="name">{name}</span>
        {since !== undefined && (
          <span class="quiet">{`since ${clockTime(since, now)}, ${age(now - since)}`}</span>
        )}
      </p>
      <p class="reason">{reason}</p>
      {next !== undefined && <p class="quiet">{next}</p>}
      {groups.map((group) => (
        <Group key={group.autoScalingGroupName} group={group} />
      ))}
      {moving.length > 0 && (
        <ul class="moving" aria-label={`Nodes that roll ${name} moves`}>
          <Nodes nodes={moving} />
        </ul>
      )}
      {asked && <p class="quiet">{askedWords(asked, now)}</p>}
      <Deeds roll={roll} />
    </li>
  );
}

function Group({ group: { autoScalingGroupName, progress } }: { readonly group: RollGroupView }) {
  if (progress === undefined) return <p class="name">{autoScalingGroupName}</p>;
  const { old, fresh, leaving, leftOut } = progress;
  const words = [
    `${fresh} new`,
    `${old} old`,
    ...(leaving > 0 ? [`${leaving} leaving`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
  ].join(', ');
  return (
    <div class="roll-group">
      <p>
        <span class="name">{autoScalingGroupName}</span> <span>{words}</span>
      </p>
      <progress
        aria-label={`New nodes of ${autoScalingGroupName}`}
        max={Math.max(1, old + fresh + leaving)}
        value={fresh}
      />
    </div>
  );
}

const mostNodes = 10;

/** A roll moves few at a time, but an aborted one may leave many. */
const Nodes = ({ nodes }: { readonly nodes: readonly RollNodeView[] }) => (
  <>
    {nodes.slice(0, mostNodes).map((node) => (
      <li key={node.name}>
        <span class="name">{shortName(node.name)}</span> <span>{`is ${node.state}: ${node.why}`}</span>
      </li>
    ))}
    {nodes.length > mostNodes && (
      <li class="quiet">{`and ${counted(nodes.length - mostNodes, 'more node')}`}</li>
    )}
  </>
);

function askedWords(
  { startedAt, by, canary, bakeSeconds, stopOn, window }: RollAskedView,
  now: number,
): string {
  const first =
    canary === 0
      ? 'no canary'
      : `canary: ${counted(canary, 'new node')} of each group ${canary === 1 ? 'carries' : 'carry'} pods for ${duration(bakeSeconds * 1000)} first`;
  return [
    `began ${clockTime(startedAt, now)}${by === undefined ? '' : ` by ${by}`}`,
    first,
    ...(stopOn.length > 0 ? [`stops on ${stopOn.join(', ')}`] : []),
    ...(window === undefined ? [] : [`only ${window}`]),
  ].join('; ');
}

/** In the sandbox buttons; for a real account, which the page only reads, the commands. */
function Deeds({ roll }: { readonly roll: RollView }) {
  const { canAct } = useContext(Doings);
  const deeds = deedsOf(roll);
  if (canAct) return <RollButtons name={roll.name} deeds={deeds} />;
  return (
    <p class="deeds">
      {mayRetarget(roll) && (
        <DroverCommand
          args={`roll resume ${shellWord(roll.name)} --retarget`}
          what={`the command to begin roll ${roll.name} again with what its groups launch now`}
        />
      )}
      {deeds.map((deed) => (
        <DroverCommand
          key={deed}
          args={`roll ${deed} ${shellWord(roll.name)}`}
          what={`the command to ${deed} roll ${roll.name}`}
        />
      ))}
    </p>
  );
}
