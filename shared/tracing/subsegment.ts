import type { CallOutcome, TracedCall } from '../base/trace.ts';
import type { TraceHeader } from './trace-header.ts';

export interface Subsegment {
  readonly header: TraceHeader;
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** Likewise, and another one. */
  readonly exceptionId: string;
  readonly call: TracedCall;
  readonly startedAt: number;
  /** Absent: the call has no answer yet. */
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
