import { useContext } from 'preact/hooks';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { Command } from '../../parts/copy.tsx';
import { Doings } from '../../parts/doing.ts';
import type { InstanceView } from '../../state/types.ts';
import { Drain } from './drain.tsx';
import { Heartbeats } from './heartbeats.tsx';
import { Machine } from './machine.tsx';
import { NodePart, NoNode } from './node.tsx';
import { Progress } from './progress.tsx';
import type { RowProps } from './row.tsx';

/** All that is known of an instance, below its line. */
export function Content(props: RowProps) {
  const { instance, group, condition, budgets, now } = props;
  const { node } = instance;
  return (
    <div class="content">
      <div>
        <Progress instance={instance} group={group} condition={condition} />
        {node?.leaving && <Drain leaving={node.leaving} budgets={budgets} now={now} />}
        {!node?.leaving && instance.lastPass !== undefined && (
          <p class="last-pass">
            {condition === 'joining' ? 'Joins' : 'Leaves'}: {instance.lastPass}
          </p>
        )}
        <Links instance={instance} />
      </div>
      <div>
        <Machine instance={instance} groupName={group.autoScalingGroupName} />
        {node ? <NodePart node={node} /> : <NoNode instance={instance} role={group.role} />}
        <Heartbeats waits={instance.waits} now={now} />
      </div>
    </div>
  );
}

/** More about it: the time line, the cluster, and in an account the console. */
function Links({ instance: { instanceId, node } }: { readonly instance: InstanceView }) {
  const { showEvents, links } = useContext(Doings);
  return (
    <p class="links">
      <button type="button" onClick={() => showEvents(instanceId)}>
        Its events
      </button>
      {links && (
        <a href={links.instance(instanceId)} target="_blank" rel="noreferrer">
          EC2 console
        </a>
      )}
      {links && node && (
        <Command
          text={`kubectl describe node ${shellWord(node.name)}`}
          what={`the command that describes ${node.name}`}
        />
      )}
    </p>
  );
}
