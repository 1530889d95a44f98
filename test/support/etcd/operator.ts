import type { Change, ResourceRecordSet } from '@aws-sdk/client-route-53';
import type { Machine } from '../../../cli/context.ts';
import { runCli } from '../../../cli/program.ts';
import { clusterName, type DroverWorld } from '../../../local/world/drover-world.ts';
import { domain, zoneId } from '../../../local/world/etcd/etcd-world.ts';
import type { Run } from '../../cli/support.ts';

/** `drover etcd` for a user with these actions, on a machine that may differ. */
export function operatorOf(
  world: DroverWorld,
  actions: readonly string[] = ['*'],
  machine: Partial<Machine> = {},
) {
  const { account, clock, doors, timeline } = world;
  const Statement = [{ Effect: 'Allow', Action: [...actions], Resource: '*' }];
  const user = account.iam.putUser({
    userName: `ana-${actions.length}`,
    policies: [{ Version: '2012-10-17', Statement }],
  });
  const environment = {
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: user.accessKeyId,
    AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
    DROVER_ETCD_DOMAIN: domain,
    DROVER_ETCD_ZONE_ID: zoneId,
    ...machine.environment,
  };
  return async (line: string): Promise<Run> => {
    const written = { out: '', err: '' };
    const code = await runCli(['etcd', ...line.split(' ')], {
      homeDirectory: '/nowhere',
      clock,
      pause: (milliseconds) => timeline.pass(milliseconds / 1000),
      stdout: { write: (text) => void (written.out += text), isTerminal: false },
      stderr: { write: (text) => void (written.err += text), isTerminal: false },
      readFile: () => Promise.reject(new Error('no file here')),
      runProgram: () => Promise.reject(new Error('no program here')),
      ...doors('operator'),
      streamGateway: world.etcd.world.door.stream,
      ...machine,
      environment,
    });
    return { code, ...written };
  };
}

/** `drover etcd` for an operator who may do everything; time passes while it waits for members that are silent. */
export function operatorInTime(world: DroverWorld, machine: Partial<Machine> = {}) {
  const run = operatorOf(world, ['*'], machine);
  return async (line: string) => {
    const pending = new Set(['it']);
    const place =
      / --cluster /.test(line) || machine.environment?.['DROVER_CLUSTER'] ? '' : ` --cluster ${clusterName}`;
    const running = run(`${line}${place}`).finally(() => pending.clear());
    for (let seconds = 0; pending.size > 0; seconds += 1) {
      if (seconds > 3600) throw new Error(`drover etcd ${line} does not end within an hour`);
      await world.timeline.pass(1);
    }
    const { code, out, err } = await running;
    return { exitCode: code, stdout: out, stderr: err };
  };
}

/** Deletes the mark as an operator does by hand. */
export function deleteMark(world: Pick<DroverWorld, 'account'>): void {
  changeMark(world, [{ Action: 'DELETE', ResourceRecordSet: markOf(world) }]);
}

/** Rewrites the mark, value by value, as another tool or cluster would have written it. */
export function editMark(world: Pick<DroverWorld, 'account'>, edit: (value: string) => string): void {
  const set = markOf(world);
  const ResourceRecords = set.ResourceRecords?.map(({ Value = '' }) => ({ Value: edit(Value) }));
  changeMark(world, [{ Action: 'UPSERT', ResourceRecordSet: { ...set, ResourceRecords } }]);
}

function changeMark({ account }: Pick<DroverWorld, 'account'>, Changes: Change[]): void {
  account.route53.operations.ChangeResourceRecordSets({ HostedZoneId: zoneId, ChangeBatch: { Changes } });
}

function markOf({ account }: Pick<DroverWorld, 'account'>): ResourceRecordSet {
  const name = `_drover-etcd.${domain}.`;
  // Not what name servers answer: they are a minute behind.
  const { ResourceRecordSets } = account.route53.operations.ListResourceRecordSets({
    HostedZoneId: zoneId,
    StartRecordName: name,
  });
  const found = ResourceRecordSets.find(({ Name }) => Name === name);
  if (!found) throw new Error('there is no mark');
  return found;
}
