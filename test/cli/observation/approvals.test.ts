import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { askForCertificate } from '../../support/certificates/kubelet.ts';
import { operatorOf } from '../operator.ts';
import { kubeconfigFor } from '../support.ts';

interface Report {
  readonly problems: readonly { readonly kind: string; readonly subject: string; readonly message: string }[];
  readonly missing: readonly unknown[];
  readonly notLookedAt: readonly string[];
}

let world: DroverWorld;
/** The addresses that the last run has asked. */
let listed: string[] = [];

beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 2 });
});

const createNode = (name: string): void => {
  world.kubernetes.registry.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } });
};

async function status(kubeconfig = kubeconfigFor(world.kubernetes.adminToken)): Promise<Report> {
  listed = [];
  const { sendHttp } = world.doors('operator');
  const { out } = await operatorOf(world, {
    files: { '/home/ana/.kube/config': kubeconfig },
    sendHttp: async (request) => {
      listed.push(request.url);
      return await sendHttp(request);
    },
  })('status --json');
  return JSON.parse(out) as Report;
}

const unapproved = ({ problems }: Report): readonly string[] =>
  problems.flatMap(({ kind, subject }) => (kind === 'no-approver' ? [subject] : []));

const readsBindings = (): boolean => listed.some((url) => url.includes('/clusterrolebindings'));

describe('who approves for Nodes outside managed groups', () => {
  it('is read only if there is such a Node', async () => {
    expect(unapproved(await status())).toEqual([]);
    expect(readsBindings()).toBe(false);
    createNode('master-1');
    expect(unapproved(await status())).toEqual(['master-1']);
    expect(readsBindings()).toBe(true);
  });

  it('is named as not looked at, and nothing fails, if this identity may not list bindings', async () => {
    createNode('master-1');
    const token = world.kubernetes.addToken({
      username: 'viewer',
      groups: ['drover:reader', 'drover:certificates'],
    });
    const report = await status(kubeconfigFor(token));
    expect(unapproved(report)).toEqual([]);
    expect(report).toMatchObject({ missing: [], notLookedAt: ['the approvers of certificates'] });
    const viewer = operatorOf(world, { files: { '/home/ana/.kube/config': kubeconfigFor(token) } });
    expect((await viewer('status')).out).toContain('not looked at: the approvers of certificates\n');
    expect((await operatorOf(world)('status')).out).not.toContain('not looked at');
  });

  it('is missing, with the reason, if the bindings cannot be read', async () => {
    createNode('master-1');
    const { sendHttp } = world.doors('operator');
    const { code, out } = await operatorOf(world, {
      sendHttp: (request) =>
        request.url.includes('/clusterroles')
          ? Promise.reject(new Error('connection reset'))
          : sendHttp(request),
    })('status --json');
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({
      missing: [
        { what: 'the approvers of certificates', reason: expect.stringContaining('connection reset') },
      ],
    });
  });

  // Earlier releases let operators apply all of deploy/rbac.yaml, with the binding of certificates.
  it('is the control plane on EKS, although the cluster has the binding of certificates', async () => {
    createNode('of-karpenter');
    expect(unapproved(await status())).toEqual(['of-karpenter']);
    const eks = 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com';
    const { sendHttp } = world.doors('operator');
    const { out } = await operatorOf(world, {
      files: { '/home/ana/.kube/config': kubeconfigFor(world.kubernetes.adminToken, eks) },
      sendHttp: (request) =>
        sendHttp({ ...request, url: request.url.replace(new URL(eks).origin, 'https://api.test:6443') }),
    })('status --json');
    const report = JSON.parse(out) as Report;
    expect(report).toMatchObject({ missing: [], notLookedAt: [] });
    expect(unapproved(report)).toEqual([]);
  });

  it('does not matter for the members of a warm pool, which their group does not list', async () => {
    const { operations } = world.account.autoScaling;
    operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, PoolState: 'Running' });
    await world.timeline.pass(600);
    const { Instances } = operations.DescribeWarmPool({ AutoScalingGroupName: 'workers' });
    const [pooled] = Instances;
    world.kubernetes.registry.create('nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'pooled' },
      spec: { providerID: `aws:///eu-central-1a/${pooled?.InstanceId}` },
    });
    expect(unapproved(await status())).toEqual([]);
    expect(readsBindings()).toBe(false);
  });

  it('is the operator once the Node is exempted, until its request waits', async () => {
    createNode('master-1');
    const drover = operatorOf(world);
    expect((await drover('adopt workers --yes --exempt master-1')).code).toBe(0);
    expect(unapproved(await status())).toEqual([]);
    await askForCertificate(world, {
      name: 'renewal',
      user: { username: 'system:node:master-1', groups: ['system:nodes', 'system:authenticated'] },
      signer: 'client',
      subject: 'O=system:nodes,CN=system:node:master-1',
    });
    await world.timeline.pass(20 * 60);
    const { problems } = await status();
    expect(problems.filter(({ kind }) => kind === 'no-approver')).toMatchObject([
      {
        subject: 'master-1',
        message: expect.stringContaining('certificate request renewal has waited for 20m'),
      },
    ]);
    expect((await drover('csr approve renewal --yes')).code).toBe(0);
    expect(unapproved(await status())).toEqual([]);
  });
});
