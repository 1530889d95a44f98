import { describe, expect, it } from 'vitest';
import { chooseWorkload } from '../../../../shared/capacity/pod-holds/choose-workload.ts';
import { controllerText, workloadsIn } from '../manifests/fixtures.ts';

const both = workloadsIn(
  [
    controllerText(),
    controllerText({ kind: 'StatefulSet', name: 'db', spec: 'serviceName: db' }),
    controllerText({ kind: 'StatefulSet', spec: 'serviceName: web' }),
  ].join('---\n'),
);

describe('the workload of a hold', () => {
  it('is the only one of the manifests', () => {
    expect(chooseWorkload(workloadsIn(controllerText()), undefined)).toMatchObject({
      kind: 'chosen',
      workload: { name: 'web' },
    });
  });

  it('is chosen among several, which are named with how to choose', () => {
    expect(chooseWorkload(both, undefined)).toEqual({
      kind: 'refused',
      why: 'a hold is for the pods of one workload, and the manifests have shop/deployment/web, shop/statefulset/db, shop/statefulset/web: choose one, such as --workload shop/deployment/web, and make a hold for each other one',
    });
  });

  it.each(['deployment/web', 'Deployment/web', 'deployments/web', 'deploy/web', 'shop/deploy/web'])(
    'is found as %s',
    (wanted) => {
      expect(chooseWorkload(both, wanted)).toMatchObject({
        kind: 'chosen',
        workload: { kind: 'Deployment', name: 'web' },
      });
    },
  );

  it.each(['web', 'deployment/db', 'other/deployment/web', 'a/b/c/d', '', '/', 'deployment/'])(
    'is not found as %j, and the others are named',
    (wanted) => {
      expect(chooseWorkload(both, wanted)).toEqual({
        kind: 'refused',
        why: `the manifests have no workload ${wanted}: they have shop/deployment/web, shop/statefulset/db, shop/statefulset/web`,
      });
    },
  );

  it('is missing in manifests without workloads', () => {
    expect(chooseWorkload([], undefined)).toMatchObject({
      why: 'the manifests have no workload with pods',
    });
  });
});
