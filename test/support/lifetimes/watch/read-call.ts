import type { AwsHttpRequest, AwsHttpResponse } from '../../../../shared/aws/connection.ts';
import type { HttpRequest } from '../../../../shared/net/http.ts';
import type { Call, NodePatch } from './call.ts';

type Moment = Pick<Call, 'at' | 'caller'>;

interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string };
  readonly gracePeriodSeconds?: number;
}

const podPath = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)(\/eviction)?$/;
const approvalPath = /\/certificatesigningrequests\/([^/]+)\/approval$/;
const nodePath = /^\/api\/v1\/nodes\/([^/]+)$/;

/** Reads what a request to the API server is about. */
export function readKubernetesCall(moment: Moment, { method, url, body }: HttpRequest): Call {
  const { pathname, search } = new URL(url);
  const call = { ...moment, what: `${method} ${pathname}${search}` };
  const content: unknown = body === undefined ? {} : JSON.parse(body);
  const [, namespace, pod, eviction] = podPath.exec(pathname) ?? [];
  const [, request] = approvalPath.exec(pathname) ?? [];
  if (request && isApproval(content)) return { ...call, kind: 'approve', request };
  const [, node] = nodePath.exec(pathname) ?? [];
  if (namespace && pod && method === 'POST' && eviction) {
    const { deleteOptions = {} } = content as { readonly deleteOptions?: DeleteOptions };
    return { ...call, kind: 'evict', pod: { namespace, name: pod, ...terms(deleteOptions) } };
  }
  if (namespace && pod && method === 'DELETE')
    return { ...call, kind: 'delete-pod', pod: { namespace, name: pod, ...terms(content as DeleteOptions) } };
  if (node && method === 'DELETE')
    return { ...call, kind: 'delete-node', node: { name: node, ...terms(content as DeleteOptions) } };
  if (node && method === 'PATCH') {
    const patch = content as NodePatch;
    const uid = patch.metadata?.uid;
    return { ...call, kind: 'patch-node', node: { name: node, ...(uid && { uid }) }, patch };
  }
  return { ...call, kind: 'read' };
}

const isApproval = (content: unknown): boolean => JSON.stringify(content).includes('"type":"Approved"');

const terms = ({ preconditions, gracePeriodSeconds }: DeleteOptions) => ({
  ...(preconditions?.uid !== undefined && { uid: preconditions.uid }),
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
});

/** Whether AWS refuses a call because calls come too fast. The services have several codes for it. */
export const isThrottlingAnswer = ({ statusCode, body }: AwsHttpResponse): boolean =>
  statusCode >= 400 && /Throttling|RequestLimitExceeded|TooManyRequests/.test(textOf(body));

/** Reads what a request to AWS is about: the query protocol of Auto Scaling, the JSON of SQS. */
export function readAwsCall(moment: Moment, request: AwsHttpRequest): Call {
  const body = textOf(request.body);
  const target = request.headers['x-amz-target'];
  if (target === 'AWSEvents.PutEvents')
    return { ...moment, what: `events ${target}`, kind: 'notify', ids: idsIn(body) };
  if (target !== undefined) return readSqsCall({ ...moment, what: `sqs ${target}` }, body);
  const form = new URLSearchParams(body);
  const field = (name: string): string => form.get(name) ?? '';
  const call = { ...moment, what: `aws ${field('Action')} ${field('InstanceId')}` };
  const action = {
    hook: field('LifecycleHookName'),
    instanceId: field('InstanceId'),
    autoScalingGroupName: field('AutoScalingGroupName'),
  };
  switch (field('Action')) {
    case 'CompleteLifecycleAction':
      return { ...call, kind: 'complete', ...action, result: field('LifecycleActionResult') };
    case 'RecordLifecycleActionHeartbeat':
      return { ...call, kind: 'beat', ...action };
    case 'TerminateInstanceInAutoScalingGroup':
      return {
        ...call,
        kind: field('ShouldDecrementDesiredCapacity') === 'true' ? 'give-back' : 'hand-back',
        instanceId: action.instanceId,
      };
    case 'SetInstanceHealth':
      return {
        ...call,
        kind: 'set-health',
        instanceId: action.instanceId,
        healthy: field('HealthStatus') === 'Healthy',
      };
    case 'UpdateAutoScalingGroup':
      return {
        ...call,
        kind: 'set-bounds',
        autoScalingGroupName: action.autoScalingGroupName,
        ...(form.has('MinSize') && { minSize: Number(form.get('MinSize')) }),
        ...(form.has('MaxSize') && { maxSize: Number(form.get('MaxSize')) }),
      };
    default:
      return { ...call, kind: 'read' };
  }
}

function readSqsCall(call: Moment & { readonly what: string }, body: string): Call {
  if (!call.what.endsWith('SendMessageBatch')) return { ...call, kind: 'read' };
  const { Entries = [] } = JSON.parse(body) as { readonly Entries?: { readonly MessageBody?: string }[] };
  return { ...call, kind: 'send', bodies: Entries.map(({ MessageBody = '' }) => MessageBody) };
}

function idsIn(body: string): readonly string[] {
  const { Entries = [] } = JSON.parse(body) as { readonly Entries?: readonly { readonly Detail?: string }[] };
  return Entries.map(({ Detail = '{}' }) => (JSON.parse(Detail) as { readonly id?: string }).id ?? '');
}

const textOf = (body: unknown): string =>
  typeof body === 'string'
    ? body
    : body instanceof Uint8Array
      ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
      : '';
