import { describe, expect, it } from 'vitest';
import { manifestsOf311 } from '../../cli/rbac/openshift-3.11.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { request } from '../../local/world/workloads.ts';
import { deployedWith, printedFor } from '../support/rbac/play.ts';
import { runningWorld } from './leave/world.ts';
import { operatorOf } from './operator.ts';

const features = ['certificates', 'identity', 'pod-holds', 'rolls'] as const;
const kubernetes = { release: '1.11' } as const;

/** A world with the rights of `drover rbac --openshift-3.11`. */
async function world311(): Promise<DroverWorld> {
  const manifests = await printedFor(features, { change: manifestsOf311 });
  const world = createDroverWorld({
    kubernetes,
    editRbac: () => manifests,
    editWiring: deployedWith(features),
  });
  await withWorkers(world, { size: 1 });
  return world;
}

const storeKubeconfig = ({ account: { ssm, operator: principal } }: DroverWorld, server: string) =>
  ssm.operations.PutParameter(
    {
      Name: '/drover/drover/kubeconfig',
      Type: 'SecureString',
      Overwrite: true,
      Value: JSON.stringify({
        'current-context': 'own',
        clusters: [{ name: 'own', cluster: { server } }],
        users: [{ name: 'own', user: { token: 'old' } }],
        contexts: [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
      }),
    },
    { principal, requestId: 'test' },
  );

describe('drover with the APIs of Kubernetes 1.11', () => {
  it('doctor asks for the right to update approvals, and says that the server does not name its user', async () => {
    const drover = operatorOf(await world311());
    const { code, out } = await drover('doctor --all --json');
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        'it answers, and does not say who Drover is: the API server does not serve selfsubjectreviews.authentication.k8s.io, which Kubernetes has since 1.28',
      ),
    });
    expect(out).toMatch(/"it may do (\d+) of the \1 things that it does"/);
    const withoutRight = createDroverWorld({ kubernetes });
    expect((await operatorOf(withoutRight)('doctor')).out).toContain(
      'update certificatesigningrequests/approval.certificates.k8s.io: Drover may not do this, which only certificate-requests needs\n    drover rbac --openshift-3.11 | oc apply -f -',
    );
  });

  it('kubeconfig says which token the server can issue, and stores nothing', async () => {
    const world = await world311();
    storeKubeconfig(world, 'https://api.test:6443');
    const { code, err } = await operatorOf(world)('kubeconfig --yes');
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'does not serve serviceaccounts/token, which Kubernetes has since 1.12: store a token without an end',
      ),
    });
  });

  it('plan reads a CronJob in v1beta1, and says so if there is none', async () => {
    const world = await world311();
    const drover = operatorOf(world);
    expect((await drover('plan cronjob/nightly')).err).toContain(
      'there is no CronJob nightly in namespace default',
    );
    const { status } = await request(world, 'POST', '/apis/batch/v1beta1/namespaces/default/cronjobs', {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name: 'nightly', namespace: 'default' },
      spec: {
        schedule: '0 3 * * *',
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: 'Never',
                containers: [{ name: 'main', image: 'registry.example/app:1' }],
              },
            },
          },
        },
      },
    });
    expect(status).toBe(201);
    expect(await drover('plan cronjob/nightly')).toMatchObject({ code: 0 });
  });

  it('leave creates no binding of kubeadm, and names the approver of OpenShift', async () => {
    const world = await runningWorld('kubeadm', { kubernetes });
    const { out } = await operatorOf(world)('leave workers --plan');
    expect(out).toContain(
      'nothing approves certificates after this: set openshift_master_bootstrap_auto_approve=true and run openshift-ansible',
    );
    expect(out).not.toContain('kubeadm:node-autoapprove');
  });

  it('uninstall finds no admission policy and no FlowSchema to delete', async () => {
    const world = await world311();
    const { out } = await operatorOf(world)('uninstall --plan');
    expect(out).toContain('clusterrolebindings/drover');
    expect(out).not.toMatch(/admissionregistration|flowcontrol/);
  });
});
