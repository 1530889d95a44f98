import type { UnknownView } from '../../../ui/state/types.ts';
import { unknownParts } from '../look/unknown-parts.ts';
import type { DirectReading } from './reading.ts';

/** What could not be read, and why. Pure. */
export const unknownOf = (reading: DirectReading): readonly UnknownView[] => {
  const cluster = reading.nodes.kind === 'known' ? reading.cluster : undefined;
  return unknownParts({
    'the groups': reading.groups,
    'the groups without the tag of the cluster': reading.lost,
    'the hooks': reading.hooks,
    'the instances of warm pools': reading.members,
    'the machines': reading.machines,
    'the holds': reading.holds,
    'the rolls': reading.rolls,
    'the launches of instances that rolls replace': reading.rollLaunches,
    'the schedules': reading.schedules,
    'the launches of the groups': reading.launches,
    'the credential of new nodes': reading.credentials,
    'the queues': reading.queues,
    'the passes': reading.passes,
    'the alarms': reading.alarms,
    'the scheduled actions of Auto Scaling': reading.scheduledActions,
    'the account': reading.accountId,
    'the Nodes and all else of the cluster': reading.nodes,
    'the pods of leaving nodes': cluster?.pods,
    'the pods without a node': cluster?.waitingPods,
    'the budgets': cluster?.budgets,
    'the approvers of certificates':
      reading.groups.kind === 'known' && cluster ? reading.approvals : undefined,
    'the certificate requests': cluster?.requests,
    'the verdicts on certificate requests': cluster?.judged,
    'the failing nodes': cluster?.repairs,
  });
};
