import { SetDesiredCapacityCommand } from '@aws-sdk/client-auto-scaling';
import { autoScalingClient } from '../../../shared/aws/clients.ts';
import type { AwsHttpRequest } from '../../../shared/aws/connection.ts';
import type { HttpRequest } from '../../../shared/net/http.ts';
import { oldNodeTaintKey, rollingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { Sabotage } from '../../support/lifetimes/lifetime.ts';
import { plannedRolls } from './planned-rolls.ts';
import { drawnWhere, type PlantedBug, rolls } from './planted-bug.ts';
import { actionOf, bodyOf, onHost, rewritten, withBody, withSendAws, withSendHttp } from './sabotage.ts';

/** What the function `roll` reads from AWS, changed in the answers to this operation. */
const misread = (operation: string, change: (text: string) => string): Sabotage =>
  onHost(['roll'], (host) =>
    withSendAws(host, async (request, send) => {
      const answer = await send(request);
      return operationOf(request) === operation ? rewritten(answer, change) : answer;
    }),
  );

const operationOf = (request: AwsHttpRequest): string =>
  request.headers['x-amz-target']?.split('.').at(-1) ?? actionOf(request);

/** The first answer to each request of this operation counts for as long as the environment lives. */
const readOnce = (operation: string): Sabotage =>
  onHost(['roll'], (host) => {
    const known = new Map<string, string>();
    return withSendAws(host, async (request, send) => {
      const answer = await send(request);
      if (operationOf(request) !== operation) return answer;
      return rewritten(answer, (text) => {
        const first = known.get(bodyOf(request)) ?? text;
        known.set(bodyOf(request), first);
        return first;
      });
    });
  });

/** The patches of Nodes by the function `roll`, changed. */
const mispatched = (change: (patch: NodePatch) => NodePatch): Sabotage =>
  onHost(['roll'], (host) =>
    withSendHttp(host, (request, send) => send(isPatch(request) ? withBody(request, change) : request)),
  );

const isPatch = ({ method }: HttpRequest): boolean => method === 'PATCH';

interface NodePatch {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string | null>> };
  readonly spec?: { readonly unschedulable?: boolean | null; readonly taints?: unknown };
}

const withoutTaints = ({ unschedulable }: NonNullable<NodePatch['spec']>): NodePatch['spec'] =>
  unschedulable === undefined ? {} : { unschedulable };

const marks = ({ metadata }: NodePatch): boolean =>
  typeof metadata?.annotations?.[rollingAnnotation] === 'string';

/** Bugs of rolls. */
export const plantedRolls: readonly PlantedBug[] = drawnWhere(rolls, [
  {
    name: 'a roll replaces what it has launched itself',
    foundBy: ['rolls-replace-old'],
    plan: plannedRolls.ofAll,
    foundIn: [542],
    sabotage: misread('DescribeInstances', (text) =>
      text.replaceAll(/<launchTime>[^<]*</g, '<launchTime>2020-01-01T00:00:00.000Z<'),
    ),
  },
  {
    name: 'a roll does not count what leaves and what is missing',
    foundBy: ['rolls-keep-their-bounds', 'canary-first', 'one-control-plane-at-a-time'],
    plan: plannedRolls.twoAtOnce,
    foundIn: [622],
    sabotage: misread('DescribeAutoScalingGroups', (text) =>
      text
        .replaceAll(/<DesiredCapacity>\d+</g, '<DesiredCapacity>0<')
        .replaceAll(/>(?:Terminating|Pending)(?::Wait|:Proceed)?</g, '>Standby<'),
    ),
  },
  {
    name: 'a roll marks a node without its cordon',
    foundBy: ['rolls-mark-first'],
    plan: plannedRolls.simple,
    foundIn: [622],
    sabotage: mispatched(({ spec, ...patch }) =>
      marks(patch) ? patch : { ...patch, ...(spec && { spec }) },
    ),
  },
  {
    name: 'old nodes take pods as readily as new ones',
    foundBy: ['old-nodes-are-tainted'],
    plan: plannedRolls.simple,
    foundIn: [622],
    sabotage: mispatched(({ spec, ...patch }) => ({ ...patch, ...(spec && { spec: withoutTaints(spec) }) })),
  },
  {
    name: 'a roll that people have paused goes on',
    foundBy: ['rolls-do-as-asked'],
    plan: plannedRolls.pausedByPeople,
    foundIn: [142],
    sabotage: misread('GetParametersByPath', (text) =>
      text.replaceAll(String.raw`\"wanted\":\"paused\"`, String.raw`\"wanted\":\"run\"`),
    ),
  },
  {
    name: 'a roll raises the desired capacity by one',
    foundBy: ['rolls-write-no-size'],
    plan: plannedRolls.simple,
    foundIn: [622],
    sabotage: onHost(['roll'], (host) => {
      const client = autoScalingClient(awsConnection(host));
      return withSendAws(host, async (request, send) => {
        if (actionOf(request) === 'DescribeLifecycleHooks') {
          const form = new URLSearchParams(String(request.body));
          const AutoScalingGroupName = form.get('AutoScalingGroupName') ?? '';
          const command = new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 9 });
          await client.send(command).catch(() => undefined);
        }
        return await send(request);
      });
    }),
  },
  {
    name: 'a roll does not find its own taints again',
    foundBy: ['ended-rolls-are-whole'],
    plan: plannedRolls.aborted,
    foundIn: [606],
    sabotage: onHost(['roll'], (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        return { ...answer, body: answer.body.replaceAll(oldNodeTaintKey, 'drover.dev/aged-node') };
      }),
    ),
  },
  {
    name: 'old nodes take no pods any more, instead of only rather not',
    foundBy: ['old-nodes-are-tainted'],
    plan: plannedRolls.simple,
    foundIn: [622],
    sabotage: onHost(['roll'], (host) =>
      withSendHttp(host, (request, send) =>
        send(
          isPatch(request)
            ? { ...request, body: request.body?.replaceAll('PreferNoSchedule', 'NoSchedule') ?? '' }
            : request,
        ),
      ),
    ),
  },
  {
    name: 'a roll opens the node that it has marked before its instance is replaced',
    foundBy: ['rolls-mark-first'],
    plan: plannedRolls.simple,
    foundIn: [622],
    sabotage: onHost(['roll'], (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        const patch = isPatch(request) ? (JSON.parse(request.body ?? '{}') as NodePatch) : {};
        if (marks(patch)) await send({ ...request, body: JSON.stringify({ spec: { unschedulable: null } }) });
        return answer;
      }),
    ),
  },
  {
    name: 'a roll lowers the desired capacity by each instance that it replaces',
    foundBy: ['gives-back-as-asked', 'rolls-write-no-size'],
    plan: plannedRolls.simple,
    foundIn: [622],
    sabotage: onHost(['roll'], (host) =>
      withSendAws(host, (request, send) => {
        const takes = actionOf(request) === 'TerminateInstanceInAutoScalingGroup';
        const body = String(request.body).replace('Capacity=false', 'Capacity=true');
        return send(takes ? Object.assign(request, { body }) : request);
      }),
    ),
  },
  {
    name: 'a roll does not let its canary bake',
    foundBy: ['canary-first'],
    plan: plannedRolls.withCanary,
    foundIn: [],
    sabotage: misread('GetParametersByPath', (text) =>
      text.replaceAll(/\\"canary\\":\d+/g, String.raw`\"canary\":0`),
    ),
  },
  {
    name: 'a node that a roll replaces is drained before its replacement serves',
    foundBy: ['replacements-serve-first'],
    plan: plannedRolls.simple,
    foundIn: [14, 22],
    sabotage: onHost(['node-leaving'], (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        return {
          ...answer,
          body: answer.body.replaceAll(String.raw`\"waits\":true`, String.raw`\"waits\":false`),
        };
      }),
    ),
  },
  {
    name: 'a roll reads only once what its groups launch',
    foundBy: ['rolls-replace-by-what-was-asked'],
    plan: plannedRolls.withNewVersion,
    foundIn: [],
    sabotage: readOnce('DescribeLaunchTemplateVersions'),
  },
  {
    name: 'control planes are replaced like workers',
    foundBy: ['one-control-plane-at-a-time'],
    plan: plannedRolls.ofControlPlane,
    foundIn: [],
    sabotage: misread('DescribeAutoScalingGroups', (text) =>
      text.replaceAll('<Value>control-plane</Value>', '<Value>worker</Value>'),
    ),
  },
  {
    name: 'a roll does not see an instance refresh',
    foundBy: ['refreshes-come-first'],
    plan: plannedRolls.besideRefresh,
    foundIn: [],
    sabotage: misread('DescribeInstanceRefreshes', (text) =>
      text.replaceAll(/<Status>\w+</g, '<Status>Successful<'),
    ),
  },
  {
    name: 'a roll reads only once which hooks a group has',
    foundBy: ['rolls-drain'],
    plan: plannedRolls.withoutHook,
    foundIn: [],
    sabotage: readOnce('DescribeLifecycleHooks'),
  },
  {
    name: 'the window of a roll is always open',
    foundBy: ['rolls-keep-their-windows'],
    plan: plannedRolls.withWindow,
    foundIn: [86],
    sabotage: misread('GetParametersByPath', (text) =>
      text.replaceAll(/\\"window\\":\\"[^"]*\\"/g, String.raw`\"window\":\"00:00-24:00\"`),
    ),
  },
  {
    name: 'a roll does not mind the alarms that should stop it',
    foundBy: ['alarms-stop-rolls'],
    plan: plannedRolls.withAlarm,
    foundIn: [],
    sabotage: misread('DescribeAlarms', (text) => text.replaceAll('ALARM', 'OK')),
  },
]);
