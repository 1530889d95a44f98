import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { runningWorkload } from '../../../../shared/capacity/manifests/running.ts';
import { shapeOf, type WorkloadObject } from '../../../../shared/capacity/manifests/workload-kinds.ts';

const kinds = [
  'Pod',
  'PodTemplate',
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'Job',
  'CronJob',
] as const;

/** The API server fills these fields in, but an answer of another server may lack them. */
describe('an object without any optional field', () => {
  it.each(kinds)('makes one pod if it is a %s', (kind) => {
    expect(shapeOf({ kind }).replicas).toBe(1);
  });

  it.each(kinds)('has the pods of its spec if it is a %s with an empty template', (kind) => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } };
    const spec =
      kind === 'CronJob' ? { jobTemplate: { spec: { template } }, schedule: '* * * * *' } : { template };
    const object = { kind, metadata: { name: 'web' }, spec, template } as unknown as WorkloadObject;
    const expected = kind === 'Pod' ? {} : { app: 'web' };
    expect(shapeOf(object).template.metadata?.labels ?? {}).toMatchObject(expected);
  });

  it('is like its pod, which lacks a time, annotations and a spec', () => {
    const selector = { matchLabels: { app: 'web' } };
    const object = {
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector },
    } as unknown as WorkloadObject;
    const bare: Pod = { metadata: { namespace: 'default', name: 'web-1', labels: { app: 'web' } } };
    const older: Pod = { metadata: { ...bare.metadata, name: 'web-0', annotations: { made: 'before' } } };
    const { pods } = runningWorkload(object, [bare, older, bare]);
    expect(pods.map(({ metadata, spec }) => [metadata?.annotations, spec?.containers])).toEqual([
      [undefined, []],
    ]);
  });
});
