import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { answerOf, badRequest, granted, refused } from './answers.ts';
import { podsPath, type TestNamespace } from './namespace.ts';

const otherName = badRequest('name in URL does not match name in Eviction object');

/** What the API server says to the request itself, and what becomes of the pod. */
export const requestCases: Cases<TestNamespace> = {
  'an eviction names its pod in the path and in the body': async (namespace) => {
    await namespace.pod('web');
    for (const metadata of [{ name: 'db' }, {}])
      expect(answerOf(await namespace.evict('web', { body: { metadata } }))).toEqual(otherName);
  },
  'an eviction with another namespace is refused': async (namespace) => {
    await namespace.pod('web');
    const body = { metadata: { name: 'web', namespace: 'elsewhere' } };
    expect(answerOf(await namespace.evict('web', { body }))).toEqual(
      badRequest('the namespace of the provided object does not match the namespace sent on the request'),
    );
  },
  'an eviction is of policy/v1 or policy/v1beta1, and nothing else': async (namespace) => {
    await namespace.pod('web');
    const old = await namespace.evict('web', { body: { apiVersion: 'policy/v1beta1' } });
    expect(answerOf(old)).toEqual(granted);
    for (const body of [{ apiVersion: 'v1', kind: 'Pod' }, { apiVersion: 'policy/v2' }])
      expect(answerOf(await namespace.evict('web', { body })).httpStatus).toBe(400);
  },
  'an eviction of a missing pod is a 404': async (namespace) => {
    expect(answerOf(await namespace.evict('web'))).toEqual(
      refused({
        code: 404,
        reason: 'NotFound',
        message: 'pods "web" not found',
        details: { name: 'web', kind: 'pods' },
      }),
    );
  },
  'an eviction with another UID is a 409, in a dry run too': async (namespace) => {
    const { metadata } = await namespace.pod('web');
    const body = { deleteOptions: { preconditions: { uid: 'another' } } };
    for (const query of ['?dryRun=All', ''])
      expect(answerOf(await namespace.evict('web', { body, query }))).toEqual(
        refused({
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on Pod "web": the UID in the precondition (another) does not match the UID in record (${metadata?.uid}). The object might have been deleted and then recreated`,
          details: { name: 'web', kind: 'Pod' },
        }),
      );
  },
  'evictions can only be created': async (namespace) => {
    await namespace.pod('web');
    const path = `${podsPath(namespace.name)}/web/eviction`;
    const answer = answerOf(await namespace.api.send({ method: 'GET', path }));
    expect(answer.httpStatus).toBe(405);
    expect(answer.status.reason).toBe('MethodNotAllowed');
  },
  'a dry run value other than All is invalid': async (namespace) => {
    await namespace.pod('web');
    const answer = answerOf(await namespace.evict('web', { query: '?dryRun=Some' }));
    expect(answer.status).toMatchObject({ code: 422, reason: 'Invalid' });
  },
  'an eviction in a terminating namespace is a 403, also for missing pods': async (namespace) => {
    await namespace.pod('web');
    await namespace.terminate();
    for (const name of ['web', 'long-gone']) {
      const { status } = answerOf(await namespace.evict(name));
      expect(status).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        details: {
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: `namespace ${namespace.name} is being terminated`,
              field: 'metadata.namespace',
            },
          ],
        },
      });
    }
  },
  'an evicted pod has its own grace period and a condition with the reason EvictionByEvictionAPI': async (
    namespace,
  ) => {
    await namespace.pod('web', { spec: { terminationGracePeriodSeconds: 17 } });
    await namespace.evict('web', { query: '' });
    const { metadata, status } = (await namespace.readPod('web')) ?? {};
    expect(metadata?.deletionGracePeriodSeconds).toBe(17);
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
      }),
    );
  },
  'the grace period of the delete options overrides that of the pod': async (namespace) => {
    await namespace.pod('short');
    await namespace.pod('odd');
    const withGrace = (gracePeriodSeconds: number) => ({
      query: '',
      body: { deleteOptions: { gracePeriodSeconds } },
    });
    await namespace.evict('short', withGrace(4));
    await namespace.evict('odd', withGrace(-7));
    expect((await namespace.readPod('short'))?.metadata?.deletionGracePeriodSeconds).toBe(4);
    expect((await namespace.readPod('odd'))?.metadata?.deletionGracePeriodSeconds).toBe(1);
  },
  'a second eviction can shorten the grace period, but not prolong it': async (namespace) => {
    await namespace.pod('web');
    const withGrace = (gracePeriodSeconds: number) => ({
      query: '',
      body: { deleteOptions: { gracePeriodSeconds } },
    });
    const grace = async () => (await namespace.readPod('web'))?.metadata?.deletionGracePeriodSeconds;
    await namespace.evict('web', withGrace(20));
    await namespace.evict('web', withGrace(300));
    expect(await grace()).toBe(20);
    await namespace.evict('web', withGrace(5));
    expect(await grace()).toBe(5);
  },
  'a grace period that has already ended becomes one second': async (namespace) => {
    await namespace.pod('web');
    await namespace.evict('web', { query: '', body: { deleteOptions: { gracePeriodSeconds: 60 } } });
    const stamp = async () => (await namespace.readPod('web'))?.metadata;
    const end = Date.parse((await stamp())?.deletionTimestamp ?? '');
    await namespace.api.pass(3);
    await namespace.evict('web', { query: '', body: { deleteOptions: { gracePeriodSeconds: 2 } } });
    const metadata = await stamp();
    expect(metadata?.deletionGracePeriodSeconds).toBe(1);
    expect(Date.parse(metadata?.deletionTimestamp ?? '')).toBeGreaterThanOrEqual(end - 57_000);
  },
  'a finished pod is deleted at once, and one with a finalizer stays with a grace period of 0': async (
    namespace,
  ) => {
    await namespace.pod('done', { phase: 'Succeeded' });
    await namespace.pod('kept', { phase: 'Failed', metadata: { finalizers: ['drover.dev/test'] } });
    for (const name of ['done', 'kept']) await namespace.evict(name, { query: '' });
    expect(await namespace.readPod('done')).toBeUndefined();
    expect((await namespace.readPod('kept'))?.metadata?.deletionGracePeriodSeconds).toBe(0);
  },
};
