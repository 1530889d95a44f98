import type { CallOutcome, TracedCall } from '../base/trace.ts';

export interface Subsegment {
  readonly header: TraceHeader;
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** Likewise, and another one. */
  readonly exceptionId: string;
  readonly call: TracedCall;
  readonly startedAt: number;
  /** Undefined if the call has no answer yet. */
  readonly end?: { readonly at: number; readonly outcome: CallOutcome };
}

/** The document of a call (X-Ray developer guide, "Segment documents"): an independent subsegment below the segment of the function. Pure. */
export const subsegmentDocument = ({
  header,
  id,
  exceptionId,
  call,
  startedAt,
  end,
}: Subsegment): object => ({
  type: 'subsegment',
  trace_id: header.traceId,
  parent_id: header.parentId,
  id,
  name: nameOf(call),
  namespace: call.namespace,
  start_time: startedAt / 1000,
  ...(end ? { end_time: end.at / 1000 } : { in_progress: true }),
  ...awsOf(call),
  ...httpOf(call, end?.outcome),
  ...(end && flagsOf(end.outcome)),
  ...(end && causeOf(exceptionId, end.outcome)),
});

/** X-Ray takes 200 of these characters. */
const nameOf = ({ name }: TracedCall): string =>
  name.replaceAll(/[^\p{L}\p{N}\s_.:/%&#=+\\@-]/gu, '').slice(0, 200);

const awsOf = ({ operation, region }: TracedCall) =>
  operation !== undefined && { aws: { operation, ...(region !== undefined && { region }) } };

function httpOf({ method, url }: TracedCall, outcome: CallOutcome | undefined) {
  const request = method !== undefined && url !== undefined && { request: { method, url } };
  const response = outcome?.status !== undefined && { response: { status: outcome.status } };
  return (request || response) && { http: { ...request, ...response } };
}

/** `error`: the request is to blame; `fault`: the service, or the way to it. */
function flagsOf({ status, isThrottled, errorName }: CallOutcome) {
  const isError = status !== undefined && status >= 400 && status < 500;
  const isFault = status === undefined || status >= 500 || (errorName !== undefined && !isError);
  return {
    ...(isError && { error: true }),
    ...(isFault && { fault: true }),
    ...((isThrottled || status === 429) && { throttle: true }),
  };
}

const errorNames = /^[\w.:#-]{1,100}$/;

/** Without the message, which may quote names, ARNs and tokens. */
const causeOf = (id: string, { errorName }: CallOutcome) =>
  errorName !== undefined && {
    cause: {
      exceptions: [{ id, type: errorNames.test(errorName) ? errorName : 'Error', remote: true }],
    },
  };

/** A request to the API server or to a member of etcd, without what it is about: no query, and no name of a namespace or an object. Pure. */
export function httpCall(
  { method, url }: { readonly method: string; readonly url: string },
  clusterName: string,
): TracedCall {
  const parsed = URL.parse(url);
  const [service, path] = placeOf(parsed?.pathname ?? '');
  return {
    name: `${service} ${clusterName}`,
    namespace: 'remote',
    method,
    ...(parsed && { url: `${parsed.origin}${path}` }),
  };
}

function placeOf(pathname: string): readonly [string, string] {
  // The gateway of etcd names an operation, and the object is in the body. Of the API server Drover asks no `/health`.
  const etcd = /^\/(?:v3\/[a-z_/]+|health)$/.exec(pathname);
  if (etcd) return ['etcd', pathname];
  // A server of the kubeconfig may have a path of its own, in which a proxy names the cluster.
  const [, api, rest = ''] = /(\/api\/v\d\w*|\/apis\/[\w.-]+\/v\d\w*)(?:\/(.*))?$/s.exec(pathname) ?? [];
  return ['Kubernetes', api === undefined ? '' : [api, ...withoutNames(rest.split('/'))].join('/')];
}

/** `namespaces/NAMESPACE/pods/NAME/eviction` and `nodes/NAME` (Kubernetes, "API URIs"), at most with one subresource. */
function withoutNames([first = '', second, third, ...rest]: readonly string[]): readonly string[] {
  if (first === '') return [];
  if (first === 'namespaces' && third !== undefined)
    return ['namespaces', '{namespace}', ...withoutNames([third, ...rest])];
  return [first, ...(second === undefined ? [] : ['{name}']), ...(third === undefined ? [] : [third])];
}

export interface TraceHeader {
  readonly traceId: string;
  /** The segment of the function, which Lambda records. */
  readonly parentId: string;
}

const root = /^1-[0-9a-f]{8}-[0-9a-f]{24}$/;
const parent = /^[0-9a-f]{16}$/;

/**
 * Reads the trace header of an invocation (X-Ray developer guide, "Tracing header"), and skips its further parts. Undefined if X-Ray
 * does not sample the invocation, or if the text is not a header. Pure.
 */
export function readTraceHeader(text: string | undefined): TraceHeader | undefined {
  const parts = (text ?? '').split(';');
  const partOf = (name: string): string =>
    parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const traceId = partOf('Root');
  const parentId = partOf('Parent');
  return partOf('Sampled') === '1' && root.test(traceId) && parent.test(parentId)
    ? { traceId, parentId }
    : undefined;
}
