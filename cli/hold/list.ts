import { readGroups } from '../../shared/aws/auto-scaling.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import type { HoldState } from '../../shared/capacity/holds/hold-state.ts';
import { holdsOfGroup } from '../../shared/capacity/holds/parameter-names.ts';
import { holdsIn } from '../../shared/capacity/holds/read-holds.ts';
import { isManaged } from '../../shared/lifecycle/group.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroups } from '../auto-scaling/groups.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { tableText } from '../table.ts';
import { holdAccess } from './access.ts';
import { nodesOf, stateOfHold } from './observe.ts';
import { holdJson, leftText } from './text.ts';

export interface ListFlags extends AutoScalingFlags, ClusterFlags {
  readonly json?: true;
}

type Listed =
  | ({ readonly hold: Hold } & HoldState)
  | {
      readonly state: 'unreadable';
      readonly autoScalingGroupName: string;
      readonly name: string;
      readonly reason: string;
    };

/** Lists the holds of a group, or of every group. */
export async function list(group: string | undefined, flags: ListFlags, context: CliContext): Promise<void> {
  const access = holdAccess(flags, context);
  const { parameters, paths, clusterName, client, clock } = access;
  const readings = holdsIn(
    await parameters.listBelow(group === undefined ? paths.holds : holdsOfGroup(paths, group)),
    paths,
  );
  // A mistyped group, cluster or region has no holds either.
  if (readings.length === 0) await managedGroups(access, group);
  const now = clock.now();
  const groups = readings.length === 0 ? [] : await readGroups(client, clusterName);
  const byName = new Map(
    groups.filter((one) => isManaged(one, clusterName)).map((one) => [one.autoScalingGroupName, one]),
  );
  const nodes = readings.length === 0 ? undefined : await nodesOf(flags, context);
  const listed = await Promise.all(
    readings.map(async (reading): Promise<Listed> => {
      if (reading.kind === 'unreadable') {
        const { autoScalingGroupName, name, why } = reading;
        return { state: 'unreadable', autoScalingGroupName, name, reason: why };
      }
      const { hold } = reading;
      const facts = {
        group: byName.get(hold.autoScalingGroupName),
        nodes: nodes ?? { status: 'unknown' as const, reason: '' },
        now,
      };
      return { hold, ...(await stateOfHold(hold, facts, access)) };
    }),
  );
  context.stdout.write(flags.json ? jsonText(listed.map(listedJson)) : listText(listed, now));
}

const listedJson = (listed: Listed) =>
  'hold' in listed
    ? { ...holdJson(listed.hold), state: listed.state, reason: listed.reason }
    : {
        group: listed.autoScalingGroupName,
        name: listed.name,
        state: listed.state,
        reason: listed.reason,
      };

function listText(listed: readonly Listed[], now: number): string {
  if (listed.length === 0) return 'no holds\n';
  return tableText(
    ['GROUP', 'HOLD', 'NODES', 'ENDS IN', 'BY', 'STATE', 'WHY'],
    listed.map((one) =>
      'hold' in one
        ? [
            one.hold.autoScalingGroupName,
            one.hold.name,
            String(one.hold.nodes),
            one.state === 'over' ? '-' : leftText(one.hold.until, now),
            one.hold.by ?? '-',
            one.state,
            one.reason,
          ]
        : [one.autoScalingGroupName, one.name, '-', '-', '-', one.state, one.reason],
    ),
  );
}
