import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import type { TemplateApplied } from './apply-node-template.ts';
import type { ClusterObserved, Joining, JoiningContext, Judged, Planned } from './context.ts';
import { describeRequests } from './describe-requests.ts';
import { nodeReadiness, type Readiness, waitingFor, withoutReadyPod } from './readiness.ts';
import type { NamesakeJudged } from './remove-namesake.ts';
import { describeStartupTaint, startupTaints } from './startup-taints.ts';

type State = Joining & Planned & ClusterObserved & NamesakeJudged & TemplateApplied;

/** Judges from the observations whether the instance may serve, or what it waits for. */
export async function judgeReadiness(context: JoiningContext, state: State): Promise<Judged> {
  const now = context.clock.now();
  const { node, requests, namesakeReason, ec2, instance } = state;
  if (state.toWarmPool) return { readiness: poolReadiness(state, now) };
  if (node) return { readiness: await readinessOf(context, { ...state, node }) };
  const reasons = [
    'it has no node yet',
    namesakeReason,
    describeRequests(requests, { instanceId: instance.instanceId, ...ec2 }),
  ];
  return { readiness: waitingFor('node', reasons.filter((reason) => reason !== undefined).join('; ')) };
}

async function readinessOf(
  { clock, cluster }: JoiningContext,
  { node, ec2, settings, templateFailure }: State & { readonly node: Node },
): Promise<Readiness> {
  const readiness = nodeReadiness(node, { now: clock.now(), launchedAt: ec2?.launchedAt });
  if (readiness.kind === 'waiting') return readiness;
  const name = nameOfNode(node);
  if (templateFailure !== undefined)
    return waitingFor('labels', `node ${name} lacks labels or taints of its group: ${templateFailure}`);
  const taints = startupTaints(node, settings.startupTaints ?? []);
  if (taints.length > 0)
    return waitingFor(
      'taints',
      `node ${name} still has the taint ${taints.map(describeStartupTaint).join('; ')}`,
    );
  const { daemonSets = [] } = settings;
  if (daemonSets.length === 0) return readiness;
  const missing = withoutReadyPod(daemonSets, await cluster.listPodsOnNode(name, 'consistent'));
  if (missing.length === 0) return readiness;
  return waitingFor('daemonsets', `node ${name} has no Ready pod of ${missing.join(', ')}`);
}

/** An instance waits for its user data before it is stopped for the pool, because user data that was interrupted does not run again. */
function poolReadiness({ settings: { warmPoolWaitSeconds }, plan }: State, now: number): Readiness {
  const launched = 'it is launched into the warm pool';
  if (warmPoolWaitSeconds === undefined)
    return waitingFor('pool', `${launched}, and completes its hook itself`);
  const seconds = Math.ceil((plan.since - now) / 1000 + warmPoolWaitSeconds);
  return seconds > 0
    ? waitingFor('pool', `${launched}, and its user data has ${seconds} s left`)
    : { kind: 'ready', reason: `${launched}, and its user data had ${warmPoolWaitSeconds} s` };
}
