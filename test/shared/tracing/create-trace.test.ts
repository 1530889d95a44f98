import { describe, expect, it } from 'vitest';
import { createTrace } from '../../../shared/tracing/create-trace.ts';

const call = { name: 'SSM', namespace: 'aws', operation: 'GetParameter' } as const;
const headerOf = (digit: string): string =>
  `Root=1-5759e988-${digit.repeat(24)};Parent=${digit.repeat(16)};Sampled=1`;

function createWorld() {
  const sent: Record<string, unknown>[] = [];
  let now = 1000;
  let header: string | undefined = headerOf('a');
  let drawn = 0;
  const trace = createTrace({
    clock: { now: () => now },
    randomBytes: (size) => new Uint8Array(size).map((_, index) => (index < 8 ? (drawn += 1) : 255)),
    header: () => header,
    send: (datagram) =>
      sent.push(JSON.parse(Buffer.from(datagram).toString().split('\n')[1] ?? '') as (typeof sent)[number]),
  });
  return {
    trace,
    sent,
    at: (time: number) => {
      now = time;
    },
    invoked: (next: string | undefined) => {
      header = next;
    },
  };
}

describe('the trace of an invocation', () => {
  it('sends a call once it has its answer', () => {
    const { trace, sent, at } = createWorld();
    const end = trace.begin(call);
    expect(sent).toEqual([]);
    at(1500);
    end({ status: 200 });
    expect(sent).toMatchObject([
      { id: '0102030405060708', start_time: 1, end_time: 1.5, http: { response: { status: 200 } } },
    ]);
  });

  it('has another id for the error than for the call', () => {
    const { trace, sent } = createWorld();
    trace.begin(call)({ errorName: 'TimeoutError' });
    expect(sent).toMatchObject([
      { id: '0102030405060708', cause: { exceptions: [{ id: 'ffffffffffffffff' }] } },
    ]);
  });

  it('is named in log lines only if it is recorded', () => {
    const { trace, invoked } = createWorld();
    expect(trace.traceId()).toBe(`1-5759e988-${'a'.repeat(24)}`);
    invoked(headerOf('b').replace('Sampled=1', 'Sampled=0'));
    expect(trace.traceId()).toBeUndefined();
  });

  it('sends nothing of an invocation that is not sampled', () => {
    const { trace, sent, invoked } = createWorld();
    invoked(undefined);
    trace.begin(call)({ status: 200 });
    trace.showOpenCalls();
    expect(sent).toEqual([]);
  });

  it('shows the calls without an answer when the invocation ends, once, and under the same id with their answer', () => {
    const { trace, sent, at } = createWorld();
    trace.begin(call)({ status: 200 });
    const end = trace.begin(call);
    trace.showOpenCalls();
    trace.showOpenCalls();
    expect(sent).toMatchObject([{ end_time: 1 }, { in_progress: true }]);
    at(2000);
    end({ errorName: 'TimeoutError' });
    expect(sent).toHaveLength(3);
    expect(sent[2]).toMatchObject({ id: sent[1]?.['id'], end_time: 2, fault: true });
  });

  it('gives a call to the invocation in which it began', () => {
    const { trace, sent, invoked } = createWorld();
    const late = trace.begin(call);
    invoked(headerOf('b'));
    trace.begin(call)({ status: 200 });
    late({ status: 200 });
    expect(sent.map((document) => document['parent_id'])).toEqual(['b'.repeat(16), 'a'.repeat(16)]);
  });

  it('keeps at most a thousand calls without an answer', () => {
    const { trace, sent } = createWorld();
    for (let number = 0; number < 1001; number += 1) trace.begin(call);
    trace.showOpenCalls();
    expect(sent).toHaveLength(1000);
  });

  it('leaves out a call that no datagram holds', () => {
    const { trace, sent } = createWorld();
    trace.begin({ ...call, operation: 'x'.repeat(70_000) })({ status: 200 });
    expect(sent).toEqual([]);
  });
});
