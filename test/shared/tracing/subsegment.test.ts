import { describe, expect, it } from 'vitest';
import type { CallOutcome, TracedCall } from '../../../shared/base/trace.ts';
import { datagramOf } from '../../../shared/tracing/create-trace.ts';
import { subsegmentDocument } from '../../../shared/tracing/subsegment.ts';

const header = { traceId: '1-5759e988-bd862e3fe1be46a994272793', parentId: '53995c3f42cd8ad8' };
const parameter: TracedCall = {
  name: 'SSM',
  namespace: 'aws',
  operation: 'GetParameter',
  region: 'eu-west-1',
};
const nodes: TracedCall = { name: 'Kubernetes prod', namespace: 'remote', method: 'GET', url: 'https://h/x' };

const documentOf = (outcome?: CallOutcome, call = parameter) =>
  subsegmentDocument({
    header,
    id: '70de5b6f19ff9a0a',
    exceptionId: '1111111111111111',
    call,
    startedAt: 1_478_293_361_271,
    ...(outcome && { end: { at: 1_478_293_361_449, outcome } }),
  });

const flags = (outcome: CallOutcome) => {
  const { error, fault, throttle } = documentOf(outcome) as Record<string, unknown>;
  return { error, fault, throttle };
};

describe('the document of a call', () => {
  it('of AWS has its operation, its region and the status of its answer', () => {
    expect(documentOf({ status: 200 })).toEqual({
      type: 'subsegment',
      trace_id: header.traceId,
      parent_id: header.parentId,
      id: '70de5b6f19ff9a0a',
      name: 'SSM',
      namespace: 'aws',
      start_time: 1_478_293_361.271,
      end_time: 1_478_293_361.449,
      aws: { operation: 'GetParameter', region: 'eu-west-1' },
      http: { response: { status: 200 } },
    });
  });

  it('of another service has its method and its URL', () => {
    expect(documentOf({ status: 200 }, nodes)).toMatchObject({
      namespace: 'remote',
      http: { request: { method: 'GET', url: 'https://h/x' }, response: { status: 200 } },
    });
    expect(documentOf({ status: 200 }, nodes)).not.toHaveProperty('aws');
  });

  it('without an answer yet has no end', () => {
    const open = documentOf();
    expect(open).toMatchObject({ in_progress: true });
    for (const absent of ['end_time', 'http', 'fault', 'cause']) expect(open).not.toHaveProperty(absent);
    expect(documentOf({ status: 200 })).not.toHaveProperty('in_progress');
  });

  it('has the region only if it is known', () => {
    const { region: _, ...elsewhere } = parameter;
    expect(documentOf({ status: 200 }, elsewhere)).toHaveProperty('aws', { operation: 'GetParameter' });
  });

  it('has no request without both its method and its URL', () => {
    const { url: _, ...some } = nodes;
    expect(documentOf({ status: 200 }, some)).toHaveProperty('http', { response: { status: 200 } });
    const { method: __, ...others } = nodes;
    expect(documentOf({ status: 200 }, others)).toHaveProperty('http', { response: { status: 200 } });
  });

  it.each([
    ['an answer', { status: 200 }, {}],
    ['a redirect', { status: 399 }, {}],
    ['a refusal', { status: 400 }, { error: true }],
    ['the last refusal', { status: 499, errorName: 'Odd' }, { error: true }],
    ['a failure of the server', { status: 500 }, { fault: true }],
    ['no answer', { errorName: 'TimeoutError' }, { fault: true }],
    ['an answer that cannot be read', { status: 200, errorName: 'UnreadableAnswerError' }, { fault: true }],
    ['too many requests', { status: 429 }, { error: true, throttle: true }],
    ['a throttle of AWS', { status: 400, isThrottled: true }, { error: true, throttle: true }],
    ['a throttle of S3', { status: 503, isThrottled: true }, { fault: true, throttle: true }],
    ['no throttle', { status: 400, isThrottled: false }, { error: true }],
  ] as const)('shows %s', (_, outcome, shown) => {
    expect(flags(outcome)).toEqual({ error: undefined, fault: undefined, throttle: undefined, ...shown });
  });

  it('has the name of an error, and nothing that quotes', () => {
    expect(documentOf({ status: 400, errorName: 'AccessDeniedException' })).toHaveProperty('cause', {
      exceptions: [{ id: '1111111111111111', type: 'AccessDeniedException', remote: true }],
    });
    for (const odd of ['User arn is not', '', 'x'.repeat(101)])
      expect(documentOf({ errorName: odd })).toHaveProperty('cause.exceptions.0.type', 'Error');
    expect(documentOf({ errorName: 'x'.repeat(100) })).toHaveProperty(
      'cause.exceptions.0.type',
      'x'.repeat(100),
    );
    expect(documentOf({ status: 200 })).not.toHaveProperty('cause');
  });

  it('has a name of the characters and the length that X-Ray takes', () => {
    const named = (name: string) => documentOf({ status: 200 }, { ...nodes, name });
    expect(named('Kubernetes ä.b_c:/%&#=+\\-@1')).toHaveProperty('name', 'Kubernetes ä.b_c:/%&#=+\\-@1');
    expect(named('a<b>"c"!')).toHaveProperty('name', 'abc');
    expect(named('x'.repeat(300))).toHaveProperty('name', 'x'.repeat(200));
  });
});

describe('a datagram for the daemon', () => {
  it('is a line that says what follows, and the document', () => {
    expect(Buffer.from(datagramOf({ id: 'ä' }) ?? []).toString()).toBe(
      '{"format":"json","version":1}\n{"id":"ä"}',
    );
  });

  it('holds what UDP does, and no more', () => {
    const frame = datagramOf({ a: '' })?.length ?? 0;
    expect(datagramOf({ a: 'x'.repeat(65_507 - frame) })).toHaveLength(65_507);
    expect(datagramOf({ a: 'x'.repeat(65_508 - frame) })).toBeUndefined();
  });
});
