import type { Group, Member } from './model.ts';
import type { AutoScalingWorld } from './world.ts';

/** What DescribeAutoScalingGroups and DescribeAutoScalingInstances show, as it is now, so that it can be shown later. */
export function pastWorld(world: AutoScalingWorld): AutoScalingWorld {
  const groups = new Map([...world.groups].map(([name, group]) => [name, copyGroup(group)]));
  const copyOf = (id: string, { group }: Member): Member | undefined =>
    groups.get(group.name)?.members.get(id);
  const members = new Map(
    [...world.members].map(([id, member]) => [id, copyOf(id, member) ?? { ...member }]),
  );
  return { ...world, groups, members };
}

function copyGroup(group: Group): Group {
  const copy: Group = {
    ...group,
    members: new Map(),
    tags: new Map(group.tags),
    targetGroupArns: new Set(group.targetGroupArns),
    suspended: new Map(group.suspended),
    warmPool: group.warmPool && { ...group.warmPool },
  };
  for (const [id, member] of group.members) copy.members.set(id, { ...member, group: copy });
  return copy;
}
