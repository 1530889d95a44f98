import { ssmClient } from '../../../shared/aws/clients.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { composeEtcdCluster, etcdCredentials } from '../../../shared/runtime/etcd-context.ts';
import { adoptAccess } from '../../adopt/access.ts';
import type { ClusterFlags } from '../../cluster-flags.ts';
import type { CliContext } from '../../context.ts';
import { counted } from '../../counted.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { jsonText } from '../../json-text.ts';
import { oneLine } from '../../plain-text.ts';
import { etcdContextOf, etcdHostOf } from '../zone/access.ts';
import type { ZoneFlags } from '../zone/flags.ts';
import { type AdoptionObservation, hexadecimal, instanceOf } from './observation.ts';
import { type AdoptionAccess, observeAdoption } from './observe.ts';
import { type AdoptionPlan, type AdoptionStep, planAdoption } from './plan.ts';

export interface AdoptionFlags extends ZoneFlags, ClusterFlags {
  readonly plan?: true;
  readonly json?: true;
}

/** `drover etcd adopt --plan`: what must change before Drover manages this etcd. Exit 1 if anything must, or it is refused. */
export async function showAdoptionPlan(
  groups: readonly string[],
  flags: AdoptionFlags,
  context: CliContext,
): Promise<void> {
  const observation = await observeAdoption(groups, accessOf(flags, context));
  const plan = planAdoption(observation);
  context.stdout.write(flags.json ? jsonText(planJson(plan, observation)) : planText(plan, observation));
  const { refusals, steps } = plan;
  if (refusals.length > 0) throw new CliError(counted(refusals.length, 'refusal'), exitCodes.failed);
  if (steps.length > 0)
    throw new CliError(`${counted(steps.length, 'step')} left; nothing was changed`, exitCodes.failed);
}

/** @throws CliError if members are not asked. */
function accessOf(flags: AdoptionFlags, context: CliContext): AdoptionAccess {
  const etcd = etcdContextOf(flags, context);
  const host = etcdHostOf(flags, context);
  if (etcd.cluster === undefined)
    throw new CliError(
      'the plan must ask the members: omit --dns-only, and unset DROVER_ETCD_MODE',
      exitCodes.usage,
    );
  const store = createParameterStore(ssmClient(awsConnection(host)));
  const readParameter = async (name: string) => (await store.read(name))?.value;
  return {
    adopt: adoptAccess(flags, context),
    etcd,
    cluster: composeEtcdCluster(host)(),
    send: context.sendHttp,
    credentials: etcdCredentials(host),
    readParameter,
    readStoredKubeconfig: () =>
      readParameter(
        host.environment['DROVER_KUBECONFIG_PARAMETER'] ??
          `/drover/${host.environment['DROVER_CLUSTER'] ?? ''}/kubeconfig`,
      ),
  };
}

const planText = ({ steps, refusals, notices }: AdoptionPlan, observation: AdoptionObservation): string =>
  [
    heading(steps, refusals.length > 0, observation),
    ...refusals.map(
      ({ subject, reason, remedy }) =>
        `# REFUSED ${oneLine(subject)}: ${oneLine(reason)}\n${remedy === null ? '' : `#         remedy: ${oneLine(remedy)}\n`}`,
    ),
    ...notices.map((notice) => `# NOTE    ${oneLine(notice)}\n`),
    ...steps.map(stepText),
  ].join('\n');

function heading(
  steps: readonly AdoptionStep[],
  isRefused: boolean,
  { naming, list }: AdoptionObservation,
): string {
  const which = `etcd ${list?.clusterId ?? 'unknown'} in ${naming.domain}`;
  if (isRefused) return `# ${which}: cannot be adopted as it is.\n`;
  return steps.length === 0
    ? `# ${which}: nothing to change.\n`
    : `# ${which}: ${counted(steps.length, 'step')}, in this order, one member at a time. Take a snapshot first.\n`;
}

function stepText({ subject, is, shall, risk, commands }: AdoptionStep, index: number): string {
  const words = [`${index + 1}. ${subject}`, `   is:   ${is}`, `   then: ${shall}`, `   risk: ${risk}`];
  return `${[...words.map((line) => `# ${oneLine(line)}`), ...commands.map(oneLine)].join('\n')}\n`;
}

/** The plan as `--json` prints it. */
const planJson = (plan: AdoptionPlan, observation: AdoptionObservation) => ({
  cluster: observation.clusterName,
  domain: observation.naming.domain,
  clusterId: observation.list?.clusterId ?? null,
  members: (observation.list?.members ?? []).map((member) => {
    const instance = instanceOf(member, observation);
    const status = instance?.status.kind === 'answers' ? instance.status : undefined;
    return {
      id: hexadecimal(member.id),
      name: member.name,
      peerUrls: member.peerUrls,
      clientUrls: member.clientUrls,
      isLearner: member.isLearner,
      instanceId: instance?.instanceId ?? null,
      group: instance?.autoScalingGroupName ?? null,
      availabilityZone: instance?.availabilityZone ?? null,
      version: status?.version ?? null,
      leads: status?.leads ?? false,
      healthy: status?.healthy ?? false,
    };
  }),
  ...plan,
});
