import { CompleteLifecycleActionCommand } from '@aws-sdk/client-auto-scaling';
import { HttpResponse } from '@smithy/core/transport';
import { joiningHookName } from '../../../local/names.ts';
import { autoScalingClient } from '../../../shared/aws/clients.ts';
import type { AwsHttpRequest, AwsHttpResponse } from '../../../shared/aws/connection.ts';
import type { HttpRequest } from '../../../shared/net/http.ts';
import { givingBackAnnotation } from '../../../shared/nodes/node-keys.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { Sabotage } from '../../support/lifetimes/lifetime.ts';
import { plantedRolls } from './planted-rolls.ts';
import {
  actionOf,
  formOf,
  onAnswer,
  onHost,
  rewritten,
  withBody,
  withItems,
  withSendAws,
  withSendHttp,
} from './sabotage.ts';

/** A plausible bug, and the rule that has to find it. */
export interface PlantedBug {
  readonly name: string;
  /** The names of the rules that may find it. */
  readonly foundBy: readonly string[];
  /** The lifetime that found it last time. It runs first; others run only if it does not find the bug. */
  readonly foundIn: number;
  readonly sabotage: Sabotage;
}

const leaving = ['node-leaving'];
const prewarm = ['prewarm'];
const joining = ['node-joining'];
const heartbeats = ['heartbeats'];

const pathOf = ({ url }: HttpRequest): string => new URL(url).pathname;
const isPodList = (request: HttpRequest): boolean =>
  request.method === 'GET' && pathOf(request) === '/api/v1/pods';
const isNodeRead = (request: HttpRequest): boolean =>
  request.method === 'GET' && pathOf(request).startsWith('/api/v1/nodes');
const isPodDeletion = (request: HttpRequest): boolean =>
  request.method === 'DELETE' && pathOf(request).includes('/pods/');

const answered = (status: number, body: object) => ({ status, headers: {}, body: JSON.stringify(body) });

/** Bugs, each of them a few lines away from what is deployed. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'what is late is deleted with a grace of zero',
    foundBy: ['never-grace-zero'],
    foundIn: 1,
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
    foundIn: 3,
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
    foundIn: 1,
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
    foundIn: 7,
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
    foundIn: 1,
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
    foundIn: 1,
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
    foundIn: 16,
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
    foundIn: 1,
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
    foundIn: 1,
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
    foundIn: 17,
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
    foundIn: 18,
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
    foundIn: 9,
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) =>
        send({ ...request, url: request.url.replace('/default/daemonsets/', '/kube-system/daemonsets/') }),
      ),
    ),
  },
  {
    name: 'messages are let go before their work is done',
    foundBy: ['messages-are-kept'],
    foundIn: 1,
    sabotage: onAnswer('node-leaving', () => ({ batchItemFailures: [] })),
  },
  {
    name: "a group's bound on leaving nodes is not read",
    foundBy: ['bound-on-leaving'],
    foundIn: 12,
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
    foundIn: 3,
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) => text.replaceAll('drover.dev/paused', 'drover.dev/posed')),
      ),
    ),
  },
  {
    name: 'the role of a group is not minded',
    foundBy: ['foreign-left-alone'],
    foundIn: 1,
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
    foundIn: 1,
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
    foundIn: 1,
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) => {
        host.writeLine(JSON.stringify({ level: 'DEBUG', message: 'request', headers: request.headers }));
        return send(request);
      }),
    ),
  },
  {
    name: 'MinSize is lowered during a hold, because one run did not read the holds',
    foundBy: ['bounds-lowered-on-record'],
    foundIn: 32,
    sabotage: onHost(prewarm, (host) => {
      let reads = 0;
      return withSendAws(host, async (request, send) => {
        const answer = await send(request);
        if (!isRead(request, '/holds')) return answer;
        reads += 1;
        return reads % 20 >= 14 ? rewritten(answer, () => '{"Parameters":[]}') : answer;
      });
    }),
  },
  {
    name: 'parameters of holds that have ended are never deleted',
    foundBy: ['bases-come-back'],
    foundIn: 32,
    sabotage: onHost(prewarm, (host) =>
      withSendAws(host, async (request, send) => {
        if (!targetOf(request).endsWith('DeleteParameter')) return await send(request);
        throw new Error('nothing is deleted');
      }),
    ),
  },
  {
    name: 'MinSize is never raised',
    foundBy: ['floors-are-kept'],
    foundIn: 32,
    sabotage: onHost(prewarm, (host) =>
      withSendAws(host, async (request, send) => {
        if (actionOf(request) !== 'UpdateAutoScalingGroup') return await send(request);
        throw new Error('the bounds are not set');
      }),
    ),
  },
  {
    name: 'a node is given back without being cordoned first',
    foundBy: ['gives-back-empty'],
    foundIn: 18,
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) =>
        send(
          request.method === 'PATCH' && request.body?.includes(givingBackAnnotation)
            ? withBody(request, (patch) => ({ ...patch, spec: undefined }))
            : request,
        ),
      ),
    ),
  },
  {
    name: 'a node is given back as soon as it is Ready',
    foundBy: ['gives-back-settled'],
    foundIn: 32,
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request)) return answer;
        const longAgo = '"lastTransitionTime":"2020-01-01T00:00:00Z"';
        return { ...answer, body: answer.body.replaceAll(/"lastTransitionTime":"[^"]*"/g, longAgo) };
      }),
    ),
  },
  {
    name: 'nodes are given back regardless of zones',
    foundBy: ['gives-back-evenly'],
    foundIn: 16,
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) =>
          text.replaceAll(/<AvailabilityZones>.*?<\/AvailabilityZones>/gs, '<AvailabilityZones/>'),
        ),
      ),
    ),
  },
  {
    name: 'nodes are given back while another one of the group still leaves',
    foundBy: ['gives-back-one-at-a-time'],
    foundIn: 18,
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) => {
        const answer = await send(request);
        if (actionOf(request) !== 'DescribeAutoScalingGroups') return answer;
        return rewritten(answer, (text) => text.replaceAll('>Terminating:Wait<', '>Standby<'));
      }),
    ),
  },
  {
    name: 'a node that an operator has cordoned is given back',
    foundBy: ['reserves-open-nodes', 'gives-back-where-others-serve'],
    foundIn: 69,
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request)) return answer;
        return { ...answer, body: answer.body.replaceAll('"unschedulable":true', '"unschedulable":false') };
      }),
    ),
  },
  {
    name: 'a node that a killed pass has reserved is forgotten',
    foundBy: ['no-node-stays-reserved'],
    foundIn: 354,
    sabotage: onHost([...leaving, 'sweep'], (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request)) return answer;
        return { ...answer, body: answer.body.replaceAll(givingBackAnnotation, 'drover.dev/given-back') };
      }),
    ),
  },
  {
    name: 'nodes are given back whatever MinSize is',
    foundBy: ['gives-back-above-floor', 'gives-back-where-others-serve'],
    foundIn: 57,
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) => text.replaceAll(/<MinSize>[0-9]+</g, '<MinSize>0<')),
      ),
    ),
  },
  {
    name: 'no event reports that a node leaves',
    foundBy: ['leaving-is-notified'],
    foundIn: 1,
    sabotage: neverNotified('node-leaving'),
  },
  {
    name: 'no event reports that pods are deleted past their budgets',
    foundBy: ['forced-is-notified'],
    foundIn: 1,
    sabotage: neverNotified('drain-forced'),
  },
  {
    name: 'no event reports that a node is gone',
    foundBy: ['gone-is-notified'],
    foundIn: 1,
    sabotage: neverNotified('node-gone'),
  },
  ...plantedRolls,
];

/** Events of this kind are lost in the function itself, which takes them for sent: it reports failures, and these excuse it. */
function neverNotified(kind: string): Sabotage {
  return onHost(leaving, (host) =>
    withSendAws(host, async (request, send) => {
      if (!targetOf(request).endsWith('PutEvents') || !formOrJson(request).includes(`/${kind}/`))
        return await send(request);
      return sentNothing(request);
    }),
  );
}

/** What EventBridge answers if it takes each event of the request. */
function sentNothing(request: AwsHttpRequest): AwsHttpResponse {
  const { Entries } = JSON.parse(formOrJson(request)) as { readonly Entries: readonly unknown[] };
  return new HttpResponse({
    statusCode: 200,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 'none' },
    body: Buffer.from(
      JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'none' })) }),
    ),
  });
}

function targetOf({ headers }: AwsHttpRequest): string {
  return headers['x-amz-target'] ?? '';
}

/** A list of the parameters below a path of Drover. */
const isRead = (request: AwsHttpRequest, path: string): boolean =>
  targetOf(request).endsWith('GetParametersByPath') && formOrJson(request).includes(path);

function formOrJson({ body }: AwsHttpRequest): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString() : String(body);
}
