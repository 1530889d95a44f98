import { readGroups } from '../../../shared/aws/auto-scaling.ts';
import type { GroupHolds } from '../../../shared/capacity/holds/floor-record.ts';
import { holdsByGroup, holdsIn, recordsIn } from '../../../shared/capacity/holds/parameters.ts';
import { measuredLeadSeconds } from '../../../shared/capacity/schedules/measured-lead.ts';
import { readSchedule, type ScheduleReading } from '../../../shared/capacity/schedules/schedule.ts';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import { isManaged } from '../../../shared/groups/group.ts';
import type { AutoScalingAccess } from '../../auto-scaling/access.ts';
import type { DirectAccess } from './access.ts';
import type { Launches, SeenGroups } from './reading.ts';

export async function groupsOf({ client, clusterName }: AutoScalingAccess): Promise<SeenGroups> {
  const groups = await readGroups(client, clusterName);
  return {
    managed: groups.filter((group) => isManaged(group, clusterName)),
    others: groups.filter((group) => !isManaged(group, clusterName)),
  };
}

export async function holdsOf({ parameters, paths }: DirectAccess): Promise<ReadonlyMap<string, GroupHolds>> {
  const [holds, floors] = await Promise.all([
    parameters.listBelow(paths.holds),
    parameters.listBelow(paths.floors),
  ]);
  return holdsByGroup(holdsIn(holds, paths), recordsIn(floors, paths));
}

export async function schedulesOf({ readSchedules }: DirectAccess): Promise<readonly ScheduleReading[]> {
  const { records, failures } = await readSchedules();
  for (const { error } of failures) throw error;
  return records.map(readSchedule);
}

/** The adapter sends them in groups of a hundred. */
export async function machinesOf(
  { ec2 }: DirectAccess,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Ec2Instance>> {
  const found = await Promise.all(ids.map((id) => ec2.describeInstance(id)));
  return new Map(found.flatMap((machine) => (machine ? [[machine.instanceId, machine] as const] : [])));
}

export async function launchesOf(
  { groups }: DirectAccess,
  names: readonly string[],
): Promise<ReadonlyMap<string, Launches>> {
  const read = async (name: string): Promise<readonly [string, Launches]> => {
    const [failedLaunch, launches] = await Promise.all([
      groups.readFailedLaunch(name),
      groups.readLaunches(name),
    ]);
    return [name, { failedLaunch, measuredLeadSeconds: measuredLeadSeconds(launches) }];
  };
  return new Map(await Promise.all(names.map(read)));
}
