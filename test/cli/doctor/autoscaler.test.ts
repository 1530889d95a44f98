import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { readAutoscalerFlags } from '../../../cli/doctor/autoscaler-flags.ts';
import { judgeAutoscaler } from '../../../cli/doctor/checks/autoscaler.ts';

const discovery =
  '--node-group-auto-discovery=asg:tag=k8s.io/cluster-autoscaler/enabled,k8s.io/cluster-autoscaler/prod=owned';
const found = { 'k8s.io/cluster-autoscaler/enabled': 'true', 'k8s.io/cluster-autoscaler/prod': 'owned' };

const deployment = (
  args: readonly string[],
  image = 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.0',
) =>
  ({
    metadata: { name: 'autoscaler', namespace: 'kube-system' },
    spec: {
      selector: {},
      template: {
        spec: { containers: [{ name: 'x', image, command: ['./cluster-autoscaler'], args: [...args] }] },
      },
    },
  }) as Deployment;

const group = (name: string, tags: object, zones: readonly string[] = ['eu-west-1a']) => ({
  autoScalingGroupName: name,
  tags: { 'kubernetes.io/cluster/prod': 'owned', 'drover.dev/role': 'worker', ...tags },
  minSize: 1,
  maxSize: 5,
  desiredCapacity: 1,
  targetGroupArns: [],
  retainsAbandoned: false,
  instances: zones.map((availabilityZone, index) => ({
    instanceId: `i-${index}`,
    lifecycleState: 'InService',
    availabilityZone,
    healthy: true,
  })),
});

describe('the flags of cluster-autoscaler', () => {
  it('are read in one word or two, and the last of a switch counts', () => {
    expect(
      readAutoscalerFlags([
        '--nodes=1:10:workers',
        '--nodes',
        '0:3:spot:night',
        '--node-group-auto-discovery=asg:tag=a,b=c=d',
        '--node-group-auto-discovery=label:x=y',
        '--balance-similar-node-groups=false',
        '--balance-similar-node-groups',
      ]),
    ).toEqual({
      staticGroups: [
        { min: 1, max: 10, name: 'workers' },
        { min: 0, max: 3, name: 'spot:night' },
      ],
      discoveries: [[{ key: 'a' }, { key: 'b', value: 'c=d' }]],
      balancesSimilarGroups: true,
    });
  });

  it.each([[[]], [['--balance-similar-node-groups=false']], [['nodes=1:2:x']], [['--nodes=many']]])(
    'say nothing in %j',
    (words) => {
      expect(readAutoscalerFlags(words)).toEqual({
        staticGroups: [],
        discoveries: [],
        balancesSimilarGroups: false,
      });
    },
  );
});

describe('cluster-autoscaler beside Drover', () => {
  it('is fine if it finds one group for each zone by its tags', () => {
    const groups = [group('a', found), group('b', found, ['eu-west-1b'])];
    const deployments = [deployment([discovery, '--balance-similar-node-groups'])];
    expect(judgeAutoscaler({ deployments, groups })).toEqual([
      { verdict: 'ok', subject: 'autoscaler', message: expect.stringContaining('keeps their MinSize') },
    ]);
  });

  it('takes held nodes away if it has bounds of its own', () => {
    const deployments = [deployment(['--nodes=1:10:a'])];
    expect(judgeAutoscaler({ deployments, groups: [group('a', {})] })).toEqual([
      {
        verdict: 'fix',
        subject: 'a',
        message: expect.stringContaining('--nodes=1:10:a: it takes the nodes of holds away'),
        command: 'kubectl --namespace kube-system edit deployment autoscaler',
      },
    ]);
  });

  it.each([
    ['lacks', { 'k8s.io/cluster-autoscaler/enabled': 'true' }],
    ['has with another value', { ...found, 'k8s.io/cluster-autoscaler/prod': 'shared' }],
  ])('does not scale a group that %s one of its tags', (_, tags) => {
    expect(judgeAutoscaler({ deployments: [deployment([discovery])], groups: [group('a', tags)] })).toEqual([
      {
        verdict: 'advice',
        subject: 'a',
        message: expect.stringContaining('the tags k8s.io/cluster-autoscaler/prod=owned'),
        command: expect.stringContaining(
          'ResourceId=a,ResourceType=auto-scaling-group,Key=k8s.io/cluster-autoscaler/prod,Value=owned,PropagateAtLaunch=false',
        ),
      },
    ]);
  });

  it('does not scale a group that nothing names', () => {
    const judged = judgeAutoscaler({
      deployments: [deployment(['--nodes=1:2:b'])],
      groups: [group('a', {})],
    });
    expect(judged).toMatchObject([
      { verdict: 'advice', subject: 'a', message: expect.stringContaining('neither') },
    ]);
  });

  it('cannot choose a zone in a group of several, and fills one group before another', () => {
    const groups = [group('a', found, ['eu-west-1b', 'eu-west-1a', 'eu-west-1b']), group('b', found)];
    expect(judgeAutoscaler({ deployments: [deployment([discovery])], groups })).toMatchObject([
      { verdict: 'advice', subject: 'a', message: expect.stringContaining('eu-west-1a, eu-west-1b') },
      {
        verdict: 'advice',
        subject: 'autoscaler',
        message: expect.stringContaining('--balance-similar-node-groups'),
      },
    ]);
  });

  it('is checked only for groups of workers', () => {
    const etcd = group('etcd', { 'drover.dev/role': 'etcd' });
    expect(judgeAutoscaler({ deployments: [deployment([discovery])], groups: [etcd] })).toMatchObject([
      { verdict: 'ok' },
    ]);
  });

  it.each([
    'nginx',
    'example.com/cluster-autoscaler-exporter-x/web',
    'example.com/my-cluster-autoscaler-docs',
  ])('is not the Deployment of %s', (image) => {
    const judged = judgeAutoscaler({
      deployments: [deployment(['--nodes=1:2:a'], image)],
      groups: [group('a', {})],
    });
    expect(judged).toMatchObject([{ verdict: 'ok', message: 'no Deployment of the cluster runs it' }]);
  });

  it.each([
    'cluster-autoscaler',
    'registry.k8s.io/autoscaling/cluster-autoscaler-arm64:v1.34.0',
    '602401143452.dkr.ecr.eu-west-1.amazonaws.com/cluster-autoscaler@sha256:00',
  ])('is found in %s', (image) => {
    const judged = judgeAutoscaler({
      deployments: [deployment(['--nodes=1:2:a'], image)],
      groups: [group('a', {})],
    });
    expect(judged).toMatchObject([{ verdict: 'fix' }]);
  });
});
