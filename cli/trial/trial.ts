import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { isForbidden } from '../../shared/kubernetes/status.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext, interruptible } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { type TrialAccess, type TrialAccessFlags, trialAccess } from './access.ts';
import { cleanUp } from './clean-up.ts';
import type { FoundNamespace } from './cluster.ts';
import { type TrialRecord, trialNamespace } from './record.ts';
import { whyNoTrial } from './refusal.ts';
import { runTrial } from './steps.ts';
import { endText, hasPassed, leftText, planJson, planText } from './text.ts';
import { createTrial, type Trial } from './trial-state.ts';

export interface TrialFlags extends TrialAccessFlags, ConfirmFlags {
  readonly cleanUp?: true;
  readonly image: string;
  readonly evictOthers?: true;
  /** Seconds. */
  readonly timeout: number;
}

/**
 * Tries a deployment with an extra node in a group, or ends what a trial has left.
 *
 * @throws CliError `failed` if it is refused, a step has failed or something is left, `interrupted` at Ctrl-C once all is cleaned up.
 */
export async function trial(name: string | undefined, flags: TrialFlags, context: CliContext): Promise<void> {
  const access = trialAccess(flags, context);
  if (flags.cleanUp) return await cleanUpLeft(access, name, flags, context);
  if (name === undefined) throw new CliError('name the group, or give --clean-up', exitCodes.usage);
  const { stdout } = context;
  const group = await groupToTry(name, access);
  if (!flags.json) stdout.write(planText(group, access.clusterName));
  else if (flags.plan) stdout.write(planJson(group, access.clusterName));
  if (flags.plan) return;
  if (!(await confirmed(`Try ${name}?`, flags, context)))
    throw new CliError('no trial was made', exitCodes.failed);
  await interruptible(context, (interruptibly) => tryGroup(name, access, flags, interruptibly));
}

/**
 * The group as it is now.
 *
 * @throws CliError if no trial may begin in it.
 */
async function groupToTry(name: string, access: TrialAccess): Promise<AutoScalingGroup> {
  const [group, hooks, nodes, activeRefresh, namespace, stage, missingRights] = await Promise.all([
    access.readManaged(name),
    access.describeHooks(name),
    access.nodes.listNodes(),
    access.findActiveRefresh(name),
    access.trials.find(),
    access.stage(),
    access.missingRights(),
  ]);
  if (namespace) throw new CliError(takenBy(namespace, access), exitCodes.failed);
  const why =
    stage === undefined
      ? `no deployment of Drover in this account and region serves cluster ${access.clusterName}`
      : (whyNoTrial({ group, hooks, names: access, nodes, activeRefresh }) ??
        (missingRights.length > 0
          ? `your user of the cluster may not ${missingRights.join(', ')}`
          : undefined));
  if (why === undefined) return group;
  throw new CliError(`no trial of ${name}: ${why}`, exitCodes.failed);
}

function takenBy(found: FoundNamespace | undefined, { cleanUpCommand }: TrialAccess): string {
  if (found?.isBeingDeleted) return `namespace ${trialNamespace} is being deleted: wait until it is gone`;
  const { record } = found ?? {};
  return record === undefined
    ? `namespace ${trialNamespace} exists, and is not that of a trial: look at what it is, and delete it`
    : `namespace ${trialNamespace} exists: a trial of ${record.group} began at ${record.startedAt}. If it no longer runs: ${cleanUpCommand}`;
}

async function tryGroup(
  name: string,
  access: TrialAccess,
  flags: TrialFlags,
  context: InterruptibleContext,
): Promise<void> {
  // The answer to the question may have taken a while.
  const group = await groupToTry(name, access);
  const begun = await begin(group, access, flags, context);
  const { json = false, image, timeout: timeoutSeconds } = flags;
  const result = await runTrial(begun, { json, image, timeoutSeconds }, context);
  const passed = hasPassed(result);
  context.stdout.write(json ? jsonText({ ...result, passed }) : endText(result));
  if (!passed) endIfInterrupted(context, 'the trial was ended');
  if (!passed || result.left.length > 0)
    throw new CliError(
      passed ? 'something of the trial is left' : `the trial of ${name} has failed`,
      exitCodes.failed,
    );
}

/** Makes the namespace, which is the lock and has the record. */
async function begin(
  { autoScalingGroupName: group, desiredCapacity, instances }: AutoScalingGroup,
  access: TrialAccess,
  { evictOthers }: TrialFlags,
  { clock }: CliContext,
): Promise<Trial> {
  const record: TrialRecord = {
    cluster: access.clusterName,
    group,
    startedAt: new Date(clock.now()).toISOString(),
    desiredCapacity,
    instanceIds: instances.map(({ instanceId }) => instanceId),
  };
  try {
    const answer = await access.trials.begin(record);
    const found = await access.trials.find();
    if (answer === 'made' && found)
      return createTrial({
        access,
        namespaceUid: found.uid,
        record,
        evictsOthers: evictOthers === true,
        isOwnRun: true,
      });
    throw new CliError(takenBy(found, access), exitCodes.failed);
  } catch (error) {
    if (error instanceof CliError || isForbidden(error)) throw error;
    throw new CliError(
      `whether namespace ${trialNamespace} was made is unknown: ${access.cleanUpCommand} removes it`,
      exitCodes.failed,
      error,
    );
  }
}

/**
 * Ends what a trial that was killed has left.
 *
 * @throws CliError `failed` if something is still left.
 */
async function cleanUpLeft(
  access: TrialAccess,
  name: string | undefined,
  flags: TrialFlags,
  context: CliContext,
): Promise<void> {
  const { stdout } = context;
  const namespace = await access.trials.find();
  if (!namespace) {
    stdout.write(
      flags.json
        ? jsonText({ left: [] })
        : `No trial is recorded in this cluster: there is no namespace ${trialNamespace}\n`,
    );
    return;
  }
  const { record, uid: namespaceUid } = namespace;
  const refused = (message: string): CliError => new CliError(message, exitCodes.failed);
  if (record === undefined) throw refused(takenBy(namespace, access));
  const { cluster, group, startedAt } = record;
  if (cluster !== access.clusterName)
    throw refused(`the trial of ${group} is in cluster ${cluster}: check --cluster and --context`);
  if (name !== undefined && name !== group)
    throw refused(`what is left is of a trial of ${group}, not of ${name}`);
  if (!flags.json) stdout.write(`A trial of ${group} began at ${startedAt}\n`);
  if (flags.plan) return;
  if (!(await confirmed('Clean it up? Make sure that it no longer runs.', flags, context)))
    throw refused('nothing was cleaned up');
  await interruptible(context, async (interruptibly) => {
    const say = (text: string): void => {
      if (!flags.json) stdout.write(`${oneLine(text)}\n`);
    };
    const evictsOthers = flags.evictOthers === true;
    const found = createTrial({ access, namespaceUid, record, evictsOthers, isOwnRun: false });
    const left = await cleanUp(found, { ...interruptibly, say });
    stdout.write(flags.json ? jsonText({ left }) : leftText(left));
    if (left.length > 0) throw refused('something of the trial is left');
    if (!flags.json) stdout.write('Nothing of the trial is left\n');
  });
}
