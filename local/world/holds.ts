import { formatHold } from '../../shared/capacity/holds/hold.ts';
import { holdParameterOf, holdPathsOf } from '../../shared/capacity/holds/parameters.ts';
import type { PodRequest } from '../../shared/capacity/pod-holds/pod-request.ts';
import type { RollParameters } from '../../shared/roll/change-roll.ts';
import { clusterName, type DroverWorld, membersOf } from './drover-world.ts';

export const paths = holdPathsOf(clusterName);

export interface HeldNodes {
  readonly nodes: number;
  readonly pods?: PodRequest;
  readonly minutes: number;
  readonly name?: string;
  readonly group?: string;
  readonly raiseMaxSize?: boolean;
}

const asOperator = ({ account }: DroverWorld) => ({ principal: account.operator, requestId: 'test' });

/** Puts a hold there, as an operator does with the AWS CLI. */
export function putHold(
  world: DroverWorld,
  { nodes, pods, minutes, name = 'morning', group = 'workers', raiseMaxSize = false }: HeldNodes,
): void {
  const now = world.clock.now();
  const hold = {
    autoScalingGroupName: group,
    name,
    nodes,
    raiseMaxSize,
    createdAt: now,
    ...(pods && { pods }),
  };
  world.account.ssm.operations.PutParameter(
    {
      Name: holdParameterOf(paths, hold),
      Value: formatHold({ ...hold, until: now + minutes * 60_000 }),
      Type: 'String',
      Overwrite: true,
    },
    asOperator(world),
  );
}

/** The parameters as an operator's own client reads and writes them. */
export function parametersOf(world: DroverWorld): RollParameters {
  const { operations } = world.account.ssm;
  const put = (Name: string, Value: string, Overwrite: boolean): void =>
    void operations.PutParameter({ Name, Value, Type: 'String', Overwrite }, asOperator(world));
  const read = (name: string): string | undefined => world.account.ssm.controls.value(name);
  return {
    listBelow: (Path) =>
      Promise.resolve(
        new Map(
          (operations.GetParametersByPath({ Path, Recursive: true }).Parameters ?? []).map(
            ({ Name = '', Value = '' }) => [Name, Value],
          ),
        ),
      ),
    read: (name) => Promise.resolve(read(name)),
    readVersion: (name) => {
      const text = read(name);
      const version = text === undefined ? 0 : operations.GetParameter({ Name: name }).Parameter?.Version;
      return Promise.resolve(text === undefined ? undefined : { text, version: version ?? 0 });
    },
    // Nothing comes between its own steps.
    replace: (name, text) => {
      put(name, text, true);
      return Promise.resolve(true);
    },
    create: (name, text) => {
      if (read(name) !== undefined) return Promise.resolve(false);
      put(name, text, false);
      return Promise.resolve(true);
    },
    write: (name, text) => Promise.resolve(put(name, text, true)),
    remove: (Name) => {
      if (read(Name) !== undefined) operations.DeleteParameter({ Name });
      return Promise.resolve();
    },
  };
}

/** The names of all parameters of holds and floors. */
export const holdParameters = (world: DroverWorld): readonly string[] =>
  [paths.holds, paths.floors].flatMap((Path) =>
    (world.account.ssm.operations.GetParametersByPath({ Path, Recursive: true }).Parameters ?? []).map(
      ({ Name = '' }) => Name,
    ),
  );

export function boundsOf({ account }: DroverWorld, autoScalingGroupName = 'workers') {
  const [group] = account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [autoScalingGroupName],
  }).AutoScalingGroups;
  return { minSize: group?.MinSize, maxSize: group?.MaxSize, desiredCapacity: group?.DesiredCapacity };
}

export const serving = (world: DroverWorld, group = 'workers'): number =>
  membersOf(world, group).filter(({ LifecycleState }) => LifecycleState === 'InService').length;
