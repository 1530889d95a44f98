import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { judgeRollouts, restarterRights } from '../../../cli/doctor/checks/rollouts.ts';
import { grantRights, type RbacManifest, rbacManifests } from '../../../local/world/rbac.ts';
import { create, deployment } from '../../../local/world/workloads.ts';
import { createHealthyWorld, examine } from './examine.ts';

const podAnnotations = { 'drover.dev/restart-before-eviction': 'true' };
const asking = deployment({ name: 'web', replicas: 1, podAnnotations });
const allowed = restarterRights.map((right) => ({ ...right, namespace: 'default', isAllowed: true }));
const command =
  'kubectl --namespace default create rolebinding drover-restarter --clusterrole=drover-restarter --group=drover --serviceaccount=kube-system:drover';

const binding: RbacManifest = {
  kind: 'RoleBinding',
  metadata: { name: 'drover-restarter', namespace: 'default' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'drover-restarter' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'drover' }],
};

async function findingsOn(change: { readonly isBound: boolean }) {
  const world = await createHealthyWorld();
  await create(world, asking);
  await world.timeline.pass(60);
  if (change.isBound) grantRights(world, [binding]);
  const { report, code } = await examine(world);
  return { code, findings: report.findings.filter(({ check }) => check === 'rollouts') };
}

const judge = (change: Partial<NonNullable<Deployment['spec']>>, rights = allowed) =>
  judgeRollouts({
    deployments: [{ ...asking, spec: { ...asking.spec, ...change } as NonNullable<Deployment['spec']> }],
    rights,
    mayPatchAll: false,
  });

describe('Deployments that ask for a rollout before an eviction', () => {
  it('are named if Drover may not restart their rollouts, with the command that binds the role', async () => {
    expect(await findingsOn({ isBound: false })).toEqual({
      code: 0,
      findings: [
        {
          check: 'rollouts',
          verdict: 'advice',
          subject: 'default',
          message:
            'pods of web are evicted without the rollout that they ask for: Drover may not get replicasets.apps in default, get deployments.apps in default, patch deployments.apps in default',
          command,
        },
      ],
    });
  });

  it('are as they should be once the role is bound', async () => {
    expect(await findingsOn({ isBound: true })).toEqual({
      code: 0,
      findings: [
        {
          check: 'rollouts',
          verdict: 'ok',
          subject: 'default',
          message: 'Drover may restart the rollouts of web',
          command: null,
        },
      ],
    });
  });

  it('name the one right that is missing', () => {
    const readOnly = allowed.map((right) => ({ ...right, isAllowed: right.verb === 'get' }));
    expect(judge({}, readOnly)).toMatchObject([
      { verdict: 'advice', message: expect.stringMatching(/may not patch deployments.apps in default$/) },
    ]);
  });

  it.each([
    ['its strategy', { strategy: { type: 'Recreate' } }, /its strategy Recreate ends each pod/],
    ['its surge', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }, /its maxSurge is 0/],
    ['a pause', { paused: true }, /its rollouts are paused/],
  ])('are named if %s makes the rollout no better than an eviction', (_, change, why) => {
    expect(judge(change)).toEqual([
      expect.objectContaining({ verdict: 'ok' }),
      {
        verdict: 'advice',
        subject: 'default/web',
        message: expect.stringMatching(why),
        command: 'kubectl --namespace default edit deployment web',
      },
    ]);
  });

  it('count for nothing while they have no pods, and without the annotation', () => {
    const none = [{ verdict: 'ok', subject: 'Deployments', message: expect.stringMatching(/^none asks/) }];
    expect(judge({ replicas: 0, paused: true })).toEqual(none);
    expect(judge({ template: {} })).toEqual(none);
  });

  it('do not justify the right in every namespace, which lets Drover run anything', () => {
    expect(judgeRollouts({ deployments: [], rights: [], mayPatchAll: true })).toEqual([
      expect.objectContaining({ verdict: 'ok' }),
      {
        verdict: 'advice',
        subject: 'patch deployments.apps',
        message: expect.stringMatching(/in every namespace.*bind the role drover-restarter/),
      },
    ]);
  });

  it('are reviewed for the rights of the role drover-restarter', () => {
    const role = rbacManifests().find(({ metadata }) => metadata?.name === 'drover-restarter');
    const rules = role?.kind === 'ClusterRole' ? (role.rules ?? []) : [];
    expect(
      rules.flatMap(({ apiGroups, resources = [], verbs }) =>
        verbs.map((verb) => ({ verb, group: apiGroups?.[0], resource: resources[0] })),
      ),
    ).toEqual(restarterRights);
  });

  it('are unknown if Drover may not list Deployments', () => {
    expect(judgeRollouts({ deployments: undefined, rights: [], mayPatchAll: false })).toMatchObject([
      { verdict: 'advice', command: 'drover rbac | kubectl apply -f -' },
    ]);
  });
});
