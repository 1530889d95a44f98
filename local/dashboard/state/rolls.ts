import type { AutoScalingGroup as GroupAnswer } from '@aws-sdk/client-auto-scaling';
import type { Cloud } from '@drover/cloud-sandbox';
import { toGroup } from '../../../shared/aws/auto-scaling.ts';
import { isManaged } from '../../../shared/groups/group.ts';
import { rollPathsOf } from '../../../shared/roll/roll.ts';
import { rollsIn, type StoredRoll } from '../../../shared/roll/rolls-in.ts';
import { rollView } from '../../../ui/server/views/roll.ts';
import type { RollView } from '../../../ui/state/rolls.ts';
import { textsBelow } from './texts-below.ts';

/** The rolls as they are in Parameter Store. */
export function storedRolls(ssm: Cloud['account']['ssm'], clusterName: string): readonly StoredRoll[] {
  const paths = rollPathsOf(clusterName);
  return rollsIn(textsBelow(ssm, paths.rolls), paths);
}

/** The rolls for the page, each with how far it is. */
export function rollViews(
  { account, kubernetes }: Pick<Cloud, 'account' | 'kubernetes'>,
  { listed, clusterName }: { readonly listed: readonly GroupAnswer[]; readonly clusterName: string },
): readonly RollView[] {
  const rolls = storedRolls(account.ssm, clusterName);
  if (rolls.length === 0) return [];
  const groups = listed.map((group) => toGroup(group, {})).filter((group) => isManaged(group, clusterName));
  const machines = groups.flatMap(({ instances }) =>
    instances.flatMap(({ instanceId }) => account.ec2.instances.find(instanceId) ?? []),
  );
  const launches = new Map(
    machines.map(({ instanceId, launchedAt, imageId }) => [
      instanceId,
      { launchedAt, imageId: imageId ?? '' },
    ]),
  );
  const nodes = kubernetes.store.of('nodes').list();
  return rolls.map((stored) => rollView(stored, { groups, launches, nodes }));
}
