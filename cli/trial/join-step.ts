import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { durationText } from '../../shared/base/duration.ts';
import { findLaunchingHook } from '../../shared/groups/group.ts';
import { isInService } from '../../shared/groups/lifecycle-state.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import { instanceIdOf, nameOfNode } from '../../shared/nodes/node-names.ts';
import type { TrialAccess } from './access.ts';
import { awaitLoggedEnd, loggedText } from './pass-log.ts';
import { hasTrialTaint, tainted, trialTaint } from './taint.ts';
import { groupOf, isLeaving, memberOf, type Trial } from './trial-state.ts';
import { persist, StepFailure, until, type Verdict, type WaitContext } from './wait.ts';

/** An answer of AWS may be older than the launch. */
const missingLooks = 4;

interface Waiting {
  readonly instanceId: string;
  readonly timeoutSeconds: number;
}

/**
 * Waits until the Node of the instance is Ready, and the instance in service. The Node is tainted as soon as it is there.
 */
export async function awaitJoin(
  trial: Trial,
  { instanceId, timeoutSeconds }: Waiting,
  context: WaitContext,
): Promise<{ readonly node: Node; readonly reason: string }> {
  const { access, record } = trial;
  const begunAt = context.clock.now();
  let name: string | undefined;
  let missing = 0;
  const node = await until(
    {
      withinSeconds: timeoutSeconds,
      // Until its name is known, all Nodes are listed each time.
      everySeconds: 10,
      look: async () => {
        const member = memberOf(await groupOf(trial), instanceId);
        const found =
          name === undefined ? await nodeOf(access, instanceId) : await access.nodes.getNode(name);
        const own = found && isNodeOfInstance(found, instanceId) ? found : undefined;
        name = own && nameOfNode(own);
        return { member, found: own && (await tainted(own, access)) };
      },
      judge: ({ member, found }): Verdict<Node> => {
        missing = member ? 0 : missing + 1;
        if (missing >= missingLooks || (member && isLeaving(member)))
          throw new StepFailure(
            `${instanceId} leaves the group before it has joined${seeEvents(instanceId)}`,
          );
        const state = `${instanceId} is ${member?.lifecycleState ?? 'not listed'}`;
        if (!found) return { waits: `${state}, and has no Node yet` };
        if (!isNodeReady(found)) return { waits: `${state}, and node ${name} is not Ready yet` };
        if (!hasTrialTaint(found))
          return { waits: `node ${name} is Ready, and gets the taint ${trialTaint.key}` };
        return member && isInService(member)
          ? { done: found }
          : { waits: `${state}, and node ${name} is Ready` };
      },
      advice: () => `drover events --instance ${instanceId} shows what Drover saw`,
    },
    context,
  );
  const ready = `node ${name} was Ready and in service within ${durationText((context.clock.now() - begunAt) / 1000)}`;
  const hooks = await persist(() => access.describeHooks(record().group), context);
  const hook = findLaunchingHook(hooks, access.joiningHookName);
  if (!hook)
    return {
      node,
      reason: `${ready}; the group has no hook ${access.joiningHookName}, so nothing waited for it`,
    };
  const functionName = 'node-joining';
  const end = await awaitLoggedEnd(trial, { instanceId, functionName }, context);
  const reason = `${ready}; ${loggedText(functionName, end)}`;
  if (end.kind === 'missing') throw new StepFailure(reason);
  return { node, reason };
}

const seeEvents = (instanceId: string): string => `: drover events --instance ${instanceId} shows why`;

/** The API server never changes a providerID, and the name of a Node may be used again. */
const isNodeOfInstance = ({ spec }: Node, instanceId: string): boolean =>
  instanceIdOf(spec?.providerID) === instanceId;

export const nodeOf = async (
  { nodes }: Pick<TrialAccess, 'nodes'>,
  instanceId: string,
): Promise<Node | undefined> => (await nodes.listNodes()).find((node) => isNodeOfInstance(node, instanceId));
