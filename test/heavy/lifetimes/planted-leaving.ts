import { CompleteLifecycleActionCommand } from '@aws-sdk/client-auto-scaling';
import { joiningHookName } from '../../../local/names.ts';
import { autoScalingClient } from '../../../shared/aws/clients.ts';
import type { AwsHttpRequest } from '../../../shared/aws/connection.ts';
import type { HttpRequest } from '../../../shared/net/http.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { PlantedBug } from './planted-bug.ts';
import {
  actionOf,
  formOf,
  isNodeRead,
  onAnswer,
  onHost,
  pathOf,
  rewritten,
  withBody,
  withItems,
  withSendAws,
  withSendHttp,
} from './sabotage.ts';

const leaving = ['node-leaving'];
const joining = ['node-joining'];
const heartbeats = ['heartbeats'];

const isPodList = (request: HttpRequest): boolean =>
  request.method === 'GET' && pathOf(request) === '/api/v1/pods';
const isPodDeletion = (request: HttpRequest): boolean =>
  request.method === 'DELETE' && pathOf(request).includes('/pods/');

const answered = (status: number, body: object) => ({ status, headers: {}, body: JSON.stringify(body) });

/** Bugs of drains, of waits and of joins. */
export const plantedLeaving: readonly PlantedBug[] = [
  {
    name: 'what is late is deleted with a grace of zero',
    foundBy: ['never-grace-zero'],
    foundIn: [1],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) =>
        send(
          isPodDeletion(request)
            ? withBody(request, (body) => ({ ...body, gracePeriodSeconds: 0 }))
            : request,
        ),
      ),
    ),
  },
  {
    name: 'pods are deleted instead of evicted',
    foundBy: ['budget-until-deadline'],
    foundIn: [3],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, async (request, send) => {
        if (!request.url.endsWith('/eviction')) return await send(request);
        const { deleteOptions = {} } = JSON.parse(request.body ?? '{}') as {
          readonly deleteOptions?: object;
        };
        const url = request.url.replace('/eviction', '');
        const answer = await send({ ...request, method: 'DELETE', url, body: JSON.stringify(deleteOptions) });
        return answer.status === 200 ? answered(201, { kind: 'Status', status: 'Success' }) : answer;
      }),
    ),
  },
  {
    name: 'a deletion means whatever bears the name by now',
    foundBy: ['uid-precondition'],
    foundIn: [1],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) =>
        send(
          request.method === 'DELETE'
            ? withBody(request, (body) => ({ ...body, preconditions: {} }))
            : request,
        ),
      ),
    ),
  },
  {
    name: 'a pod that is terminating counts as gone',
    foundBy: ['drained-before-release'],
    foundIn: [7],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isPodList(request) || answer.status !== 200) return answer;
        return withItems(answer, ({ metadata }) => metadata?.deletionTimestamp === undefined);
      }),
    ),
  },
  {
    name: 'a list that failed is read as an empty one',
    foundBy: ['drained-before-release'],
    foundIn: [1],
    sabotage: onHost(leaving, (host) => {
      let lists = 0;
      return withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isPodList(request)) return answer;
        lists += 1;
        // A pass confirms an empty list with a second one, and both fail seldom: so every third pair counts as failed.
        if (answer.status === 200 && lists % 6 > 1) return answer;
        return answered(200, {
          kind: 'PodList',
          apiVersion: 'v1',
          metadata: { resourceVersion: '1' },
          items: [],
        });
      });
    }),
  },
  {
    name: 'every hook of the group is completed',
    foundBy: ['own-hook-only'],
    foundIn: [1],
    sabotage: onHost(leaving, (host) => {
      const client = autoScalingClient(awsConnection(host));
      return withSendAws(host, async (request, send) => {
        const form = formOf(request);
        const ours = form.get('LifecycleHookName') === 'drover-node-leaving';
        const answer = await send(request);
        if (actionOf(request) !== 'CompleteLifecycleAction' || !ours) return answer;
        const input = {
          AutoScalingGroupName: form.get('AutoScalingGroupName') ?? '',
          LifecycleHookName: 'drover-etcd',
          InstanceId: form.get('InstanceId') ?? '',
          LifecycleActionResult: 'CONTINUE',
        };
        await client.send(new CompleteLifecycleActionCommand(input)).catch(() => undefined);
        return answer;
      });
    }),
  },
  {
    name: 'heartbeats for leaving instances are never sent',
    foundBy: ['waits-are-kept'],
    foundIn: [16],
    sabotage: onHost(heartbeats, (host) =>
      withSendAws(host, async (request, send) => {
        const isJoining = formOf(request).get('LifecycleHookName') === joiningHookName;
        if (actionOf(request) !== 'RecordLifecycleActionHeartbeat' || isJoining) return await send(request);
        throw new Error(`no heartbeat for ${formOf(request).get('InstanceId')}`);
      }),
    ),
  },
  {
    name: 'heartbeats for joining instances are never sent',
    foundBy: ['joins-are-kept'],
    foundIn: [1],
    sabotage: onHost(heartbeats, (host) =>
      withSendAws(host, async (request, send) => {
        const isJoining = formOf(request).get('LifecycleHookName') === joiningHookName;
        if (actionOf(request) !== 'RecordLifecycleActionHeartbeat' || !isJoining) return await send(request);
        throw new Error(`no heartbeat for ${formOf(request).get('InstanceId')}`);
      }),
    ),
  },
  {
    name: 'a Node counts as Ready once it is registered',
    foundBy: ['joins-on-evidence'],
    foundIn: [1],
    sabotage: onHost(joining, (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request)) return answer;
        const body = answer.body.replaceAll('"status":"False"', '"status":"True"');
        return { ...answer, body: body.replaceAll('"taints":', '"noTaints":') };
      }),
    ),
  },
  {
    name: 'what does not join in time is abandoned where its group wants it held',
    foundBy: ['joins-on-evidence'],
    foundIn: [17],
    sabotage: onHost(joining, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) =>
          text.replaceAll('<Value>hold</Value>', '<Value>ABANDON</Value>'),
        ),
      ),
    ),
  },
  {
    name: 'requests are approved though the node of that name lives',
    foundBy: ['certificates-for-running'],
    foundIn: [18],
    sabotage: onHost(['certificate-requests'], (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request) || answer.status !== 200) return answer;
        return pathOf(request).endsWith('/nodes') ? withItems(answer, () => false) : answered(404, {});
      }),
    ),
  },
  {
    name: 'a DaemonSet that is looked up in the wrong place counts as gone',
    foundBy: ['daemon-pods-alone'],
    foundIn: [9],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) =>
        send({ ...request, url: request.url.replace('/default/daemonsets/', '/kube-system/daemonsets/') }),
      ),
    ),
  },
  {
    name: 'messages are let go before their work is done',
    foundBy: ['messages-are-kept'],
    foundIn: [1],
    sabotage: onAnswer('node-leaving', () => ({ batchItemFailures: [] })),
  },
  {
    name: "a group's bound on leaving nodes is not read",
    foundBy: ['bound-on-leaving'],
    foundIn: [12],
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) =>
          text.replaceAll('drover.dev/max-leaving', 'drover.dev/most-leaving'),
        ),
      ),
    ),
  },
  {
    name: 'a pause is not minded',
    foundBy: ['pause-means-nothing-else'],
    foundIn: [3],
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) => text.replaceAll('drover.dev/paused', 'drover.dev/posed')),
      ),
    ),
  },
  {
    name: 'the role of a group is not minded',
    foundBy: ['foreign-left-alone'],
    foundIn: [1],
    sabotage: onHost(['intake', 'node-leaving', 'sweep'], (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) =>
          text.replaceAll('<Value>gpu</Value>', '<Value>worker</Value>'),
        ),
      ),
    ),
  },
  {
    name: 'heartbeats go on when the wait is over',
    foundBy: ['no-orphan-heartbeats'],
    foundIn: [1],
    sabotage: onHost(heartbeats, (host) => {
      const beats: AwsHttpRequest[] = [];
      return withSendAws(host, async (request, send) => {
        if (actionOf(request) === 'RecordLifecycleActionHeartbeat') beats.push(request);
        else if (actionOf(request) === 'DescribeAutoScalingGroups')
          for (const beat of beats) await send(beat).catch(() => undefined);
        return await send(request);
      });
    }),
  },
  {
    name: 'the token of the API server is logged',
    foundBy: ['no-secrets'],
    foundIn: [1],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) => {
        host.writeLine(JSON.stringify({ level: 'DEBUG', message: 'request', headers: request.headers }));
        return send(request);
      }),
    ),
  },
];
