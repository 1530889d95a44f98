import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { compactRequest } from '../../../../shared/capacity/pod-holds/pod-request.ts';
import { compactTemplate } from '../../../../shared/capacity/pod-holds/pod-template.ts';
import { isSameRequest } from '../../../../shared/capacity/pod-holds/same-request.ts';
import { web } from './fixtures.ts';

const required = [{ topologyKey: 'kubernetes.io/hostname', labelSelector: {} }];
const whole: PodSpec = {
  serviceAccountName: 'web',
  containers: [
    {
      name: 'web',
      image: 'example.com/web:1',
      command: ['web', '--secret'],
      env: [{ name: 'PASSWORD', value: 'hunter2' }],
      ports: [{ containerPort: 80 }, { containerPort: 9000, hostPort: 9000 }],
      resources: { requests: { cpu: '1' } },
    },
  ],
  volumes: [
    { name: 'settings', configMap: { name: 'settings' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
  ],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'zone' } },
      ],
      requiredDuringSchedulingIgnoredDuringExecution: required,
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' },
    { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
  ],
};

describe('a compact template', () => {
  it('has only what the filters of the scheduler read, and nothing that may be secret', () => {
    const { spec } = compactTemplate({ labels: { app: 'web' }, spec: whole });
    expect(spec).toEqual({
      containers: [
        { ports: [{ containerPort: 9000, hostPort: 9000 }], resources: { requests: { cpu: '1' } } },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
      topologySpreadConstraints: [
        { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      ],
    });
  });

  it('is the same when it is made again', () => {
    const once = compactRequest(web({ template: { labels: { app: 'web' }, spec: whole } }));
    expect(compactRequest(once)).toEqual(once);
    expect(isSameRequest(once, compactRequest({ ...once }))).toBe(true);
  });

  it('keeps the ports of a pod with the network of the host', () => {
    const { spec } = compactTemplate({ spec: { ...whole, hostNetwork: true } });
    expect(spec.containers[0]?.ports).toHaveLength(2);
  });

  it('keeps an empty container, which counts as a pod', () => {
    const { spec } = compactTemplate({ spec: { containers: [{ name: 'web' }] } });
    expect(spec).toEqual({ containers: [{}] });
  });

  it('keeps the template of an ephemeral volume, whose class decides about the node (karpenter#3189)', () => {
    const claim = { storageClassName: 'only-b', accessModes: ['ReadWriteOnce'] };
    const volumes = [
      { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { ...claim, resources: {} } } } },
      { name: 'cache', emptyDir: {} },
    ];
    const { spec } = compactTemplate({ spec: { containers: [{ name: 'web' }], volumes } });
    expect(spec.volumes).toEqual([{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: claim } } }]);
  });
});
