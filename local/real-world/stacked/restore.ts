import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { type Machine, thisMachine } from '../../../cli/context.ts';
import { type DroverRun, droverOn } from '../../story/seeds/drover-command.ts';
import { pause } from '../../story/seeds/play.ts';
import { environmentOf } from '../terminal.ts';
import type { StackedWorld } from './world.ts';

const run = promisify(execFile);

/** `drover` of an administrator on a machine in the VPC, where the private addresses of the members lead to them. */
export function droverInVpc(world: StackedWorld): (line: string) => Promise<DroverRun> {
  const { cloud, clock } = world;
  const machine = thisMachine();
  const sendHttp: Machine['sendHttp'] = (request) =>
    new URL(request.url).port === '2379' ? cloud.etcd.send(request) : machine.sendHttp(request);
  return droverOn({
    ...machine,
    environment: environmentOf(world),
    clock,
    pause: (milliseconds) => pause(clock, milliseconds / 1000),
    sendHttp,
    streamGateway: cloud.etcd.stream,
  });
}

/** @throws Error with what it wrote, if it does not end with 0 */
export async function wellDone(running: Promise<DroverRun>): Promise<string> {
  const { exitCode, stdout, stderr } = await running;
  if (exitCode !== 0) throw new Error(`drover ended with ${exitCode}: ${stdout}${stderr}`);
  return stdout;
}

export interface Restoration {
  /** The instance that becomes the only member, from which the others join again. */
  readonly first: string;
  /** The other instances that have data of the cluster that was there before. */
  readonly others: readonly string[];
  /** Of the bucket. Defaults to the newest. */
  readonly snapshot?: string;
}

/** Restores a snapshot with the commands that `drover etcd restore` prints, in their order, in a shell and with etcdutl. */
export async function restoreByCommands(
  world: StackedWorld,
  { first, others, snapshot }: Restoration,
): Promise<void> {
  const { members } = world.etcd;
  const drover = droverInVpc(world);
  const folder = mkdtempSync(join(tmpdir(), 'restore-'));
  try {
    const dataDirectory = members.dataDirectoryOf(first);
    const words = ['etcd', 'restore', ...(snapshot === undefined ? [] : [snapshot]), '--member', first];
    const flags = ['--data-dir', dataDirectory, '--out', join(folder, 'snapshot.db')];
    const printed = await wellDone(drover([...words, ...flags].join(' ')));
    const [onFirst = '', adopt = '', onOthers = ''] = printed.split(/^# \d\. .*$/m).slice(1);
    await Promise.all(others.map((instanceId) => members.kill(instanceId)));
    await runAsRoot(world, first, onFirst);
    const record = adopt.split('\n').find((line) => line.startsWith('drover ')) ?? '';
    await wellDone(drover(record.replace('drover ', '')));
    for (const instanceId of others)
      await runAsRoot(
        world,
        instanceId,
        onOthers.replaceAll(dataDirectory, members.dataDirectoryOf(instanceId)),
      );
    // Also those beside the others: they remember the keys of the cluster that was there before, and lists of them never end.
    for (const instanceId of [first, ...others])
      await world.restartApiServer(
        world.cloud.account.ec2.instances.find(instanceId)?.privateIpAddress ?? '',
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The unit of etcd is a process of this machine, under the user of this machine. */
async function runAsRoot(
  { etcd: { members } }: StackedWorld,
  instanceId: string,
  script: string,
): Promise<void> {
  const { environment } = thisMachine();
  const env = { ...environment, PATH: `${chosenEtcd.directory}:${environment['PATH']}` };
  for (const part of script.split(/^(systemctl (?:stop|start) etcd|chown .*)$/m)) {
    if (part === 'systemctl stop etcd') await members.kill(instanceId);
    else if (part === 'systemctl start etcd') await members.start(instanceId);
    else if (!part.startsWith('chown ')) await run('sh', ['-e', '-c', part], { env });
  }
}
