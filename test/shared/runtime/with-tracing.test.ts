import { describe, expect, it } from 'vitest';
import { ssmClient } from '../../../shared/aws/clients.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import { createLog } from '../../../shared/base/log.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { FunctionHost } from '../../../shared/runtime/host.ts';
import { onLambda, signalBeforeEndMilliseconds } from '../../../shared/runtime/lambda-entry.ts';
import { withTracing } from '../../../shared/runtime/with-tracing.ts';
import { awsOnLoopback } from '../../support/aws-on-loopback.ts';
import { createDaemon, parentId, tracedEnvironment, traceId } from '../../support/xray.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function createHost(environment: Environment = tracedEnvironment, parts: Partial<FunctionHost> = {}) {
  const { documents, sendDatagram } = createDaemon();
  const lines: Record<string, unknown>[] = [];
  const host: FunctionHost = {
    environment,
    clock: { now: () => 0, after: () => ({ cancel: () => {} }) },
    randomBytes: (size) => new Uint8Array(size).fill(1),
    sendHttp: async () => ({ status: 200, headers: {}, body: '{}' }),
    sendDatagram,
    writeLine: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
    ...parts,
  };
  return { host, documents, lines };
}

const nodes = {
  method: 'GET',
  url: 'https://api.example.com/api/v1/nodes?limit=1',
  headers: { authorization: 'Bearer secret' },
  timeoutMilliseconds: 1000,
} as const;

const context = {
  awsRequestId: 'request-1',
  functionName: 'drover-sweep',
  getRemainingTimeInMillis: () => 30_000,
} as Parameters<ReturnType<typeof onLambda>>[1];

describe('a host with tracing', () => {
  it.each([
    ['tracing is off', { ...tracedEnvironment, DROVER_TRACING: 'off' }],
    ['the template says nothing', { ...tracedEnvironment, DROVER_TRACING: undefined }],
    ['there is no daemon', { ...tracedEnvironment, AWS_XRAY_DAEMON_ADDRESS: undefined }],
    [
      'its address would have to be looked up',
      { ...tracedEnvironment, AWS_XRAY_DAEMON_ADDRESS: 'daemon:2000' },
    ],
  ])('is the host itself where %s', (_, environment) => {
    const { host } = createHost(environment);
    expect(withTracing(host)).toBe(host);
  });

  it('records what is asked of the API server, with the answer, and without names and secrets', async () => {
    const { host, documents } = createHost();
    expect(await withTracing(host).sendHttp(nodes)).toEqual({ status: 200, headers: {}, body: '{}' });
    expect(documents).toMatchObject([
      {
        name: 'Kubernetes prod',
        http: {
          request: { method: 'GET', url: 'https://api.example.com/api/v1/nodes' },
          response: { status: 200 },
        },
      },
    ]);
    expect(JSON.stringify(documents)).not.toMatch(/secret|limit/);
  });

  it('records a refusal with its status', async () => {
    const answer = { status: 404, headers: {}, body: '' };
    const { host, documents } = createHost(tracedEnvironment, { sendHttp: async () => answer });
    expect(await withTracing(host).sendHttp(nodes)).toBe(answer);
    expect(documents).toMatchObject([{ http: { response: { status: 404 } }, error: true }]);
  });

  it('records a call to AWS once, by its operation', async () => {
    const { environment: aws } = await awsOnLoopback([{ body: '{"Parameter":{"Value":"x"}}' }]);
    const { host, documents } = createHost({ ...tracedEnvironment, ...aws }, { sendHttp });
    const parameters = createParameterStore(ssmClient(awsConnection(withTracing(host))));
    expect(await parameters.read('/drover/prod/kubeconfig')).toMatchObject({ value: 'x' });
    expect(documents.map(({ name, aws: call }) => [name, call?.operation])).toEqual([
      ['SSM', 'GetParameter'],
    ]);
  });

  it('hands on a failure as it is, and records it', async () => {
    const failure = Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    const { host, documents } = createHost(tracedEnvironment, { sendHttp: () => Promise.reject(failure) });
    await expect(withTracing(host).sendHttp(nodes)).rejects.toBe(failure);
    expect(documents).toMatchObject([{ fault: true, cause: { exceptions: [{ type: 'TimeoutError' }] } }]);
  });

  it('says once that the daemon takes nothing, and goes on', async () => {
    const { host, lines } = createHost(tracedEnvironment, {
      sendDatagram: (_datagram, _target, onLost) => onLost(new Error('send EPERM 127.0.0.1:2000')),
    });
    const traced = withTracing(host);
    await traced.sendHttp(nodes);
    expect(await traced.sendHttp(nodes)).toMatchObject({ status: 200 });
    expect(lines).toMatchObject([{ level: 'warn', reason: 'send EPERM 127.0.0.1:2000' }]);
  });

  it('names the trace in each log line of a sampled invocation', () => {
    const environment: Record<string, string | undefined> = { ...tracedEnvironment };
    const { host, lines } = createHost(environment);
    const log = createLog(withTracing(host)).with({ function: 'sweep', traceId: 'of a field' });
    log.info('one');
    delete environment['_X_AMZN_TRACE_ID'];
    log.info('two');
    expect(lines).toEqual([
      { time: expect.any(String), level: 'info', message: 'one', function: 'sweep', traceId },
      { time: expect.any(String), level: 'info', message: 'two', function: 'sweep', traceId: 'of a field' },
    ]);
  });
});

describe('an invocation with tracing', () => {
  it('shows a call that has no answer when it ends', async () => {
    const { host, documents } = createHost(tracedEnvironment, { sendHttp: () => new Promise(() => {}) });
    const entry = onLambda<unknown, string>(
      (machine) => async () => {
        void machine.sendHttp(nodes);
        return 'answered';
      },
      host,
    );
    expect(await entry({}, context)).toBe('answered');
    expect(documents).toMatchObject([{ name: 'Kubernetes prod', in_progress: true }]);
  });

  it('that fails shows it too, and its log line names the trace', async () => {
    const { host, documents, lines } = createHost(tracedEnvironment, {
      sendHttp: () => new Promise(() => {}),
    });
    const entry = onLambda<unknown, string>(
      (machine) => async () => {
        void machine.sendHttp(nodes);
        throw new Error('broken');
      },
      host,
    );
    await expect(entry({}, context)).rejects.toThrow('broken');
    expect(documents).toHaveLength(1);
    expect(lines).toMatchObject([{ message: 'the invocation failed', traceId }]);
  });

  it('shows a call that hangs before Lambda kills the invocation', async () => {
    const { host, documents } = createHost(tracedEnvironment, { sendHttp: () => new Promise(() => {}) });
    const entry = onLambda<unknown, unknown>((machine) => () => machine.sendHttp(nodes), host);
    void entry({}, { ...context, getRemainingTimeInMillis: () => signalBeforeEndMilliseconds + 10 });
    await expect.poll(() => documents).toMatchObject([{ name: 'Kubernetes prod', in_progress: true }]);
  });

  it('gives none of its open calls to the next one', async () => {
    const environment: Record<string, string | undefined> = { ...tracedEnvironment };
    const { host, documents } = createHost(environment, { sendHttp: () => new Promise(() => {}) });
    const entry = onLambda<boolean, string>(
      (machine) => async (calls) => {
        if (calls) void machine.sendHttp(nodes);
        return 'answered';
      },
      host,
    );
    const next = { trace_id: `1-00000000-${'0'.repeat(24)}`, parent_id: '0'.repeat(16) };
    await entry(true, context);
    environment['_X_AMZN_TRACE_ID'] = `Root=${next.trace_id};Parent=${next.parent_id};Sampled=1`;
    await entry(false, context);
    expect(documents).toMatchObject([{ trace_id: traceId, parent_id: parentId, in_progress: true }]);
    await entry(true, context);
    expect(documents.slice(1)).toMatchObject([{ ...next, in_progress: true }]);
  });
});
