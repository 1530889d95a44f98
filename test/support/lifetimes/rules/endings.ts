import { readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { instanceIdOf } from '../../../../shared/nodes/node-names.ts';
import { isManagedGroup, isTaken } from './facts.ts';
import { fullQueues } from './messages.ts';
import type { Rule } from './rule.ts';

export const noWaitIsLeft: Rule = {
  name: 'no-wait-is-left',
  sentence: 'Once the faults are over, no instance of a managed group waits for its hook.',
  atEnd: (view) => {
    const waiting = view.census
      .all()
      .filter(
        ({ lifecycleState, autoScalingGroupName }) =>
          /^(?:Terminating|Pending):Wait/.test(lifecycleState ?? '') &&
          isManagedGroup(view, autoScalingGroupName),
      );
    if (waiting.length === 0) return undefined;
    return waiting
      .map(({ instanceId, autoScalingGroupName }) => `${instanceId} of ${autoScalingGroupName}`)
      .join(', ');
  },
};

export const noOrphanedNodes: Rule = {
  name: 'no-orphaned-nodes',
  sentence:
    'Once the faults are over, every managed Node has an instance, unless the sweep has raised its alarm.',
  atEnd: (view) => {
    const { world, census } = view;
    if (view.sweepWithholds) return undefined;
    const orphans = world.kubernetes.store
      .of('nodes')
      .list()
      .filter(({ metadata, spec }) => {
        const resident = census.ofNode(metadata.name);
        if (!resident || !isManagedGroup(view, resident.autoScalingGroupName)) return false;
        // Auto Scaling does not check instances in Standby and lists them after their end, and so does the sweep.
        if (resident.lifecycleState === 'Standby') return false;
        // An instance that EC2 has forgotten, or that was detached, is reported and left alone: nothing proves that it is managed.
        if (isTaken(view, metadata.name)) return false;
        const instance = world.account.ec2.instances.find(instanceIdOf(spec?.providerID) ?? '');
        return instance?.state === 'terminated' && instance.tags.has('aws:autoscaling:groupName');
      });
    return orphans.length === 0 ? undefined : orphans.map(({ metadata }) => metadata.name).join(', ');
  },
};

export const noLeftoverMarks: Rule = {
  name: 'no-leftover-marks',
  sentence: 'Once the faults are over, no staying Node has a mark or a cordon of Drover.',
  atEnd: ({ world, census }) => {
    const marked = world.kubernetes.store
      .of('nodes')
      .list()
      .filter(({ metadata }) => {
        const state = census.ofNode(metadata.name)?.lifecycleState;
        return state === 'InService' && readLeavingMark(metadata.annotations) !== undefined;
      });
    return marked.length === 0 ? undefined : marked.map(({ metadata }) => metadata.name).join(', ');
  },
};

export const queuesEmpty: Rule = {
  name: 'queues-empty',
  sentence: 'Once the faults are over, every queue is empty, and no message was parked.',
  atEnd: (view) => {
    const full = fullQueues(view);
    return full.length === 0 ? undefined : full.join('; ');
  },
};
