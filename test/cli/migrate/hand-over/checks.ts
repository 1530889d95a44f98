import { hookName } from '../../../../local/names.ts';
import { hooksOf, membersOf, tagsOf } from './watch.ts';
import { groupNames, groupSize, managedTag, type NthWorld, terminationHandlerHook } from './world.ts';

/** Lets simulated seconds pass until the condition holds. */
export async function until(
  world: NthWorld,
  condition: () => boolean,
  { what, withinSeconds }: { readonly what: string; readonly withinSeconds: number },
): Promise<void> {
  for (let seconds = 0; !condition(); seconds += 2) {
    if (seconds > withinSeconds) throw new Error(`${what} did not happen: ${world.handlerSays()}`);
    await world.pass(2);
  }
}

/** Whether no instance launches or leaves. */
export const isQuiet = (world: NthWorld): boolean =>
  groupNames.every((name) => {
    const members = membersOf(world, name);
    return members.length === groupSize && members.every((one) => one.LifecycleState === 'InService');
  });

/** What shows who drains the nodes of each group. */
export const stateOfGroups = (world: NthWorld) =>
  groupNames.map((name) => ({
    hooks: hooksOf(world, name),
    isTagged: tagsOf(world, name).has(managedTag),
    isManaged: tagsOf(world, name).has('drover.dev/role'),
    tagged: membersOf(world, name).filter(({ InstanceId = '' }) =>
      world.cloud.account.ec2.instances.find(InstanceId)?.tags.has(managedTag),
    ).length,
  }));

export const drainedByDrover = groupNames.map(() => ({
  hooks: [hookName],
  isTagged: false,
  isManaged: true,
  tagged: 0,
}));

export const drainedByHandler = groupNames.map(() => ({
  hooks: [terminationHandlerHook],
  isTagged: true,
  isManaged: false,
  tagged: groupSize,
}));
