import { SQS } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import type { Latency, Weather } from '../../src/cloud/strike.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { pendingOf } from './support/pending.ts';

const nodes = { method: 'GET', url: 'https://api/api/v1/nodes', headers: {} } as const;

function fixture(weather: Weather) {
  const sandbox = createSandbox({ weather });
  const { sendHttp } = sandbox.doors('test');
  const headers = { authorization: `Bearer ${sandbox.kubernetes.adminToken}` };
  const body = JSON.stringify({ metadata: { name: 'made' } });
  const url = 'https://api/api/v1/namespaces';
  return {
    sandbox,
    list: (timeoutMilliseconds: number) => pendingOf(sendHttp({ ...nodes, headers, timeoutMilliseconds })),
    create: (timeoutMilliseconds: number) =>
      pendingOf(sendHttp({ method: 'POST', url, headers, body, timeoutMilliseconds })),
    isMade: () => sandbox.kubernetes.store.of('namespaces').get(undefined, 'made') !== undefined,
  };
}

describe('a call that hangs', () => {
  it("ends at the caller's own limit, in simulated time", async () => {
    const { sandbox, list } = fixture({ strike: () => ({ kind: 'hang-before' }) });
    const call = list(20_000);
    await sandbox.pass(19.9);
    expect(call.hasEnded()).toBe(false);
    await sandbox.pass(0.1);
    expect(call.error()).toMatchObject({ name: 'TimeoutError', message: 'no answer within 20000 ms' });
  });

  it.each([
    ['hang-before', false],
    ['hang-after', true],
  ] as const)('as %s has taken effect: %s', async (kind, effect) => {
    const { sandbox, create, isMade } = fixture({ strike: () => ({ kind }) });
    const call = create(5000);
    await sandbox.pass(5);
    expect(call.error()).toMatchObject({ name: 'TimeoutError' });
    expect(isMade()).toBe(effect);
  });

  it('to AWS ends at the requestTimeout of the client', async () => {
    const sandbox = createSandbox({ weather: { strike: () => ({ kind: 'hang-after' }) } });
    const sqs = new SQS(sandbox.aws());
    const call = pendingOf(sqs.createQueue({ QueueName: 'q' }, { requestTimeout: 3000 }));
    await sandbox.pass(2.9);
    expect(call.hasEnded()).toBe(false);
    await sandbox.pass(0.1);
    expect(call.error()).toMatchObject({ name: 'TimeoutError' });
    expect(sandbox.account.sqs.controls.queueNames()).toEqual(['q']);
  });

  it('to AWS ends when its caller aborts it, and never ends for a caller without a limit', async () => {
    const sandbox = createSandbox({ weather: { strike: () => ({ kind: 'hang-before' }) } });
    const sqs = new SQS(sandbox.aws());
    const controller = new AbortController();
    const patient = pendingOf(sqs.listQueues({}));
    const aborted = pendingOf(sqs.listQueues({}, { abortSignal: controller.signal }));
    await sandbox.pass(3600);
    expect(aborted.hasEnded()).toBe(false);
    controller.abort();
    await sandbox.settle();
    expect(aborted.error()).toMatchObject({ name: 'AbortError' });
    expect(patient.hasEnded()).toBe(false);
  });
});

describe('a caller that is killed during a call', () => {
  it('gets no answer at its own limit either', async () => {
    const { sandbox, create, isMade } = fixture({ strike: () => ({ kind: 'kill-after' }) });
    const call = create(5000);
    await sandbox.pass(3600);
    expect(call.hasEnded()).toBe(false);
    expect(isMade()).toBe(true);
  });
});

describe('latency', () => {
  const slow = (latency: number | Latency): Weather => ({
    latencyMilliseconds: ({ what }) => (what.startsWith('POST') ? latency : 0),
  });

  it('is decided for each call', async () => {
    const { sandbox, create, list } = fixture(slow(7000));
    const [slowly, quickly] = [create(20_000), list(20_000)];
    await sandbox.settle();
    expect([slowly.hasEnded(), quickly.hasEnded()]).toEqual([false, true]);
    await sandbox.pass(7);
    expect(slowly.answer()).toMatchObject({ status: 201 });
  });

  it('before the effect delays the effect; after the effect it delays only the answer', async () => {
    const { sandbox, create, isMade } = fixture(slow({ beforeMilliseconds: 3000, afterMilliseconds: 4000 }));
    const call = create(20_000);
    await sandbox.pass(2.9);
    expect(isMade()).toBe(false);
    await sandbox.pass(0.1);
    expect(isMade()).toBe(true);
    await sandbox.pass(3.9);
    expect(call.hasEnded()).toBe(false);
    await sandbox.pass(0.1);
    expect(call.answer()).toMatchObject({ status: 201 });
  });

  it("beyond the caller's limit ends the call at the limit, and the effect still happens later", async () => {
    const { sandbox, create, isMade } = fixture(slow(30_000));
    const call = create(20_000);
    await sandbox.pass(20);
    expect(call.error()).toMatchObject({ name: 'TimeoutError' });
    expect(isMade()).toBe(false);
    await sandbox.pass(10);
    expect(isMade()).toBe(true);
  });
});
