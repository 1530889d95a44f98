import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroup } from '../auto-scaling/groups.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { type DoctorContext, doctorContextOf } from '../doctor/doctor-context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { findInstance } from '../find-node/find-instance.ts';
import { environmentOf, hostOf } from '../host.ts';
import { jsonLine, jsonText } from '../json-text.ts';
import { lookBesides, nothingListed } from '../pointer/look.ts';
import { listAndPoint } from '../pointer/point.ts';
import { follow } from './follow.ts';
import { type FunctionName, functionNames } from './functions.ts';
import { type Logs, type Look, lookAtLogs } from './look.ts';
import type { Subjects } from './subjects.ts';
import { eventText, notes } from './text.ts';

export interface EventsFlags extends AutoScalingFlags, ClusterFlags {
  readonly group?: string;
  readonly instance?: string;
  /** Seconds. */
  readonly since: number;
  readonly function?: FunctionName;
  readonly stage?: string;
  readonly follow?: true;
  readonly json?: true;
}

/** Shows what Drover saw and decided, the newest last, and with `--follow` what comes. */
export async function events(flags: EventsFlags, context: CliContext): Promise<void> {
  const deployment = doctorContextOf(flags, context);
  const host = hostOf(context, environmentOf(flags, context));
  const connection = awsConnection(host);
  const logs: Logs = {
    client: new CloudWatchLogsClient(clientSettings(connection, 'CloudWatch Logs')),
    stage: await deployment.stage(),
    functions: flags.function === undefined ? functionNames : [flags.function],
    subjects: await subjectsOf(flags, deployment, context),
  };
  const since = context.clock.now() - flags.since * 1000;
  if (flags.follow)
    await follow(
      { look: (from, isNew) => lookAtLogs(logs, from, isNew), show: viewer(flags, logs, context), since },
      context,
    );
  const list = async (): Promise<void> => {
    const look = await lookAtLogs(logs, since);
    checkStage(look, logs);
    if (flags.json) context.stdout.write(jsonText(look));
    else show(look, context);
  };
  if (flags.json) return await list();
  const beginLook = lookBesides({ host, stage: logs.stage, listed: () => nothingListed });
  await listAndPoint({ list, beginLook, flags }, context);
}

/** A group's instances are those of now: the lines of a pass do not name the group of their instance. */
async function subjectsOf(
  flags: EventsFlags,
  { autoScaling, clusterName }: DoctorContext,
  context: CliContext,
): Promise<Subjects> {
  const { group, instance } = flags;
  if (instance !== undefined) return new Set([await findInstance(instance, flags, context)]);
  if (group === undefined) return undefined;
  const { instances } = await managedGroup({ client: autoScaling, clusterName }, group);
  return new Set([group, ...instances.map(({ instanceId }) => instanceId)]);
}

/** @throws CliError if no function has a log: the stage is mistyped, or in another region. */
function checkStage({ missing }: Look, { stage, functions }: Logs): void {
  if (functions.length > 1 && missing.length === functions.length)
    throw new CliError(
      `no function of stage ${stage} has a log in this account and region: check --stage and --region`,
      exitCodes.failed,
    );
}

function show(look: Look, { stdout, stderr }: Pick<CliContext, 'stdout' | 'stderr'>): void {
  stdout.write(look.events.map(eventText));
  if (look.events.length === 0) stderr.write('nothing was seen or decided in this time\n');
  for (const note of notes(look)) stderr.write(`${note}\n`);
}

/** Shows each read of `--follow`; missing logs are reported once. */
function viewer({ json }: EventsFlags, logs: Logs, { stdout, stderr }: CliContext): (look: Look) => void {
  let said: readonly string[] = [];
  return (look) => {
    checkStage(look, logs);
    stdout.write(look.events.map((event) => (json ? jsonLine(event) : eventText(event))));
    const now = notes({ ...look, skipped: 0 });
    for (const note of now.filter((one) => !said.includes(one))) stderr.write(`${note}\n`);
    said = now;
  };
}
