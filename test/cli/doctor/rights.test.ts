import { describe, expect, it } from 'vitest';
import type { DoctorReport } from '../../../cli/doctor/report.ts';
import { publishKubeconfig } from '../../../local/cloud/furnish.ts';
import { operatorOf } from '../operator.ts';
import { createHealthyWorld, examine } from './examine.ts';

describe('what drover doctor finds of rights', () => {
  it('finds rights that Drover lacks in the cluster, verb by verb', async () => {
    const world = await createHealthyWorld();
    await world.kubernetes.sendHttp({
      method: 'DELETE',
      url: 'https://api.test:6443/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/drover',
      headers: { authorization: `Bearer ${world.kubernetes.adminToken}` },
      timeoutMilliseconds: 1000,
    });
    const { code, wrong } = await examine(world);
    expect(code).toBe(1);
    // The role drover-certificates still lets it get Nodes, drover-planner list what is planned with, and drover-roller patch Nodes.
    expect(wrong.filter(({ check }) => check === 'rights').map(({ subject }) => subject)).toEqual([
      'delete nodes',
      'delete pods',
      'create pods/eviction',
      'patch pods/status',
      'get daemonsets.apps',
      'get persistentvolumeclaims',
    ]);
  });

  it('names the rights that an identity should not have', async () => {
    const world = await createHealthyWorld();
    const identity = (name: string, groups: readonly string[]) => {
      const token = world.kubernetes.addToken({
        username: name,
        groups: [...groups, 'system:authenticated'],
      });
      const parameterName = `/drover/drover/${name}`;
      publishKubeconfig(world, { parameterName, server: 'https://api.test:6443', token });
      return parameterName;
    };
    const environment = {
      DROVER_READER_KUBECONFIG_PARAMETER: identity('reader', ['drover:reader']),
      DROVER_CREDENTIALS_KUBECONFIG_PARAMETER: identity('maker', ['drover:credentials', 'drover:reader']),
      DROVER_CERTIFICATES_KUBECONFIG_PARAMETER: identity('approver', ['drover:certificates']),
    };
    const { code, out } = await operatorOf(world, { environment })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    expect(code).toBe(0);
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([
      expect.objectContaining({
        subject: 'node-leaving: get configmaps aws-auth in kube-system',
        command: 'kubectl edit rolebinding drover-identity-mapping --namespace kube-system',
      }),
      {
        check: 'rights',
        verdict: 'advice',
        subject: 'node-leaving: create secrets in kube-system',
        message: 'this identity may do this and does not need it',
        command: 'kubectl edit rolebinding drover-bootstrap-tokens --namespace kube-system',
      },
      expect.objectContaining({ subject: 'node-leaving: delete secrets in kube-system' }),
      ...[
        'list certificatesigningrequests.certificates.k8s.io',
        'patch certificatesigningrequests/approval.certificates.k8s.io',
        'approve signers.certificates.k8s.io kubernetes.io/kube-apiserver-client-kubelet',
        'approve signers.certificates.k8s.io kubernetes.io/kubelet-serving',
      ].map((right) => expect.objectContaining({ subject: `node-leaving: ${right}` })),
      expect.objectContaining({ subject: 'credentials: list nodes' }),
      expect.objectContaining({ subject: 'credentials: get configmaps aws-auth in kube-system' }),
    ]);
    expect(findings.filter(({ check }) => check === 'parameters').map(({ subject }) => subject)).toEqual([
      '/drover/drover/kubeconfig',
      '/drover/drover/reader',
      '/drover/drover/maker',
      '/drover/drover/approver',
      '/drover/drover/bootstrap-kubeconfig',
    ]);
  });

  it('finds the right to read Secrets, which an earlier deploy/rbac.yaml gave', async () => {
    const world = await createHealthyWorld();
    await world.kubernetes.sendHttp({
      method: 'PATCH',
      url: 'https://api.test:6443/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/drover-bootstrap-tokens',
      headers: {
        authorization: `Bearer ${world.kubernetes.adminToken}`,
        'content-type': 'application/merge-patch+json',
      },
      body: JSON.stringify({
        rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list', 'create', 'delete'] }],
      }),
      timeoutMilliseconds: 1000,
    });
    const { wrong } = await examine(world);
    expect(wrong).toMatchObject([
      {
        check: 'rights',
        verdict: 'advice',
        subject: 'list secrets in kube-system',
        command: 'drover rbac | kubectl apply -f -',
      },
    ]);
  });

  it('asks for no right of a feature that is off, and finds it to be spare if it is there', async () => {
    const world = await createHealthyWorld();
    const { events } = world.account;
    for (const Name of ['drover-dev-bootstrap-credential', 'drover-dev-certificate-requests']) {
      const { Targets } = events.operations.ListTargetsByRule({ Rule: Name });
      events.operations.RemoveTargets({ Rule: Name, Ids: Targets?.map(({ Id = '' }) => Id) });
      events.operations.DeleteRule({ Name });
    }
    const { wrong } = await examine(world);
    const ofRights = wrong.filter(({ check }) => check === 'rights');
    expect(ofRights.map(({ subject }) => subject)).toEqual([
      'create secrets in kube-system',
      'delete secrets in kube-system',
      'list certificatesigningrequests.certificates.k8s.io',
      'patch certificatesigningrequests/approval.certificates.k8s.io',
      'approve signers.certificates.k8s.io kubernetes.io/kube-apiserver-client-kubelet',
      'approve signers.certificates.k8s.io kubernetes.io/kubelet-serving',
    ]);
    for (const { message } of ofRights) expect(message).toContain('does not need it');
  });

  it('finds that the deployed sweep may not replace the nodes of a group that asks for it', async () => {
    const world = await createHealthyWorld();
    world.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [
        {
          ResourceId: 'workers',
          ResourceType: 'auto-scaling-group',
          PropagateAtLaunch: false,
          Key: 'drover.dev/repair',
          Value: 'NotReady=10m',
        },
      ],
    });
    expect((await examine(world)).wrong).toEqual([]);
    const { operations } = world.account.events;
    const { Name, ScheduleExpression } = operations.DescribeRule({ Name: 'drover-dev-sweep' });
    operations.PutRule({ Name, ScheduleExpression, Description: 'of an earlier version' });
    expect((await examine(world)).wrong).toMatchObject([
      {
        check: 'repair',
        subject: 'workers',
        verdict: 'fix',
        command: 'npx --no -- serverless deploy --stage dev',
      },
    ]);
  });
});
