import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, type Role, roleOf } from '../groups/group.ts';
import { isTerminating, isWarmed } from '../groups/lifecycle-state.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import type { ApiServers } from './api-servers.ts';
import type { RollLaunches } from './launches.ts';
import type { RollMember } from './member.ts';
import { judgeAge, whyLeftOut } from './old-instances.ts';
import type { Roll } from './roll.ts';

/** What Auto Scaling, EC2 and the API server say, as a roll sees it. */
export interface RollFacts {
  /** The managed groups of the cluster. */
  readonly groups: readonly AutoScalingGroup[];
  /** Their instances. Only those of the roll's groups need a `launch`. */
  readonly members: readonly RollMember[];
  /** Undefined if the pods are not read: only a roll of etcd or of a control plane asks. */
  readonly apiServers?: ApiServers;
}

/** An old instance, with what is old about it. */
export interface OldInstance {
  readonly member: RollMember;
  readonly why: string;
}

/** How far a roll is with one of its groups. */
export interface GroupProgress {
  readonly autoScalingGroupName: string;
  /** Undefined if there is no such managed group any more. */
  readonly group?: AutoScalingGroup;
  readonly role: Role;
  /** The old instances that are still to be replaced, with those that are marked. */
  readonly old: readonly OldInstance[];
  /** The instances that leave, for whatever reason. */
  readonly leaving: readonly RollMember[];
  /** The other instances: those that the roll has launched, and those that are not old. None of a warm pool: they serve nothing. */
  readonly fresh: readonly RollMember[];
  /** The instances that the roll does not touch, each with a clause that says why and what becomes of it. */
  readonly leftOut: readonly { readonly instanceId: string; readonly why: string }[];
}

/** The progress of a roll, group by group in the order in which they are replaced. Pure. */
export const progressOf = (
  roll: Pick<Roll, 'groups' | 'criterion' | 'startedAt'>,
  { groups, members }: RollFacts,
): readonly GroupProgress[] =>
  roll.groups
    .map(({ autoScalingGroupName }) => {
      const group = groups.find((one) => one.autoScalingGroupName === autoScalingGroupName);
      const role = (group && roleOf(group)) ?? 'worker';
      const own = members.filter((member) => member.autoScalingGroupName === autoScalingGroupName);
      return { autoScalingGroupName, ...(group && { group }), role, ...sort(roll, own, role) };
    })
    .toSorted((one, other) => order.indexOf(one.role) - order.indexOf(other.role));

const order: readonly Role[] = ['etcd', 'control-plane', 'worker'];

function sort(
  roll: Pick<Roll, 'groups' | 'criterion' | 'startedAt'>,
  members: readonly RollMember[],
  role: Role,
): Pick<GroupProgress, 'old' | 'leaving' | 'fresh' | 'leftOut'> {
  const old: OldInstance[] = [];
  const leaving: RollMember[] = [];
  const fresh: RollMember[] = [];
  const leftOut: { readonly instanceId: string; readonly why: string }[] = [];
  for (const member of members) {
    const age = judgeAge(roll, member);
    const { instanceId } = member;
    const why = age.kind === 'old' ? whyLeftOut(member, role) : undefined;
    if (why !== undefined) leftOut.push({ instanceId, why });
    else if (isTerminating(member)) leaving.push(member);
    else if (age.kind === 'unknown') leftOut.push({ instanceId, why: age.why });
    else if (age.kind === 'old') old.push({ member, why: age.why });
    else if (!isWarmed(member)) fresh.push(member);
  }
  return { old, leaving, fresh, leftOut };
}

/**
 * The members of these groups, with how EC2 launched them and their Nodes. An instance that several Nodes name has none: nothing shows which
 * of them is its own. Pure.
 */
export function rollMembers(
  groups: readonly AutoScalingGroup[],
  launches: Awaited<ReturnType<RollLaunches['readInstances']>>,
  nodes: readonly Node[],
): readonly RollMember[] {
  const byInstance = Map.groupBy(nodes, ({ spec }) => instanceIdOf(spec?.providerID));
  return groups.flatMap(({ autoScalingGroupName, instances }) =>
    instances.map((member): RollMember => {
      const launch = launches.get(member.instanceId);
      const [node, ...twins] = byInstance.get(member.instanceId) ?? [];
      const { launchTemplate: template } = member;
      return {
        ...member,
        autoScalingGroupName,
        ...(launch && { launch: { ...launch, ...(template && { template }) } }),
        ...(node && twins.length === 0 && { node }),
      };
    }),
  );
}
