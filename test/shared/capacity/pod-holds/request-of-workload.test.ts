import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHold, readHold } from '../../../../shared/capacity/holds/hold.ts';
import { requestedPods } from '../../../../shared/capacity/manifests/requested-pods.ts';
import { emptySurroundings, plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import { type PodRequest, plannedPodsOf } from '../../../../shared/capacity/pod-holds/pod-request.ts';
import { requestOfWorkload } from '../../../../shared/capacity/pod-holds/request-of-workload.ts';
import { hour, start } from '../holds/fixtures.ts';
import { controllerText, workloadsIn } from '../manifests/fixtures.ts';

interface Wanted {
  readonly total?: number;
  readonly headroom?: boolean;
}

function made(text: string, { total, headroom = false }: Wanted = {}) {
  const [workload] = workloadsIn(text);
  if (workload === undefined) throw new Error('no workload');
  return requestOfWorkload(workload, { total, headroom });
}

function requestIn(text: string, wanted: Wanted = {}): PodRequest {
  const making = made(text, wanted);
  if (making.kind === 'refused') throw new Error(making.why);
  return making.request;
}

const whyNot = (text: string, wanted: Wanted = {}): string => {
  const making = made(text, wanted);
  return making.kind === 'refused' ? making.why : 'not refused';
};

const job = (metadata: string, more = '') => `apiVersion: batch/v1
kind: Job
metadata: ${metadata}
spec:
  parallelism: 6
  completions: 4
  template:
    ${more}
    spec:
      restartPolicy: Never
      containers: [{name: main, image: report:1, resources: {requests: {cpu: "2"}}}]
`;

const cronJob = (labels: string) => `apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: 0 2 * * *
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      parallelism: 3
      template:
        metadata: ${labels}
        spec:
          restartPolicy: Never
          containers: [{name: main, image: report:1, resources: {requests: {cpu: "2"}}}]
`;

describe('the request for the pods of a workload', () => {
  it('has the selector, the replicas and the namespace of a Deployment, and nothing that a plan does not read', () => {
    expect(requestIn(controllerText())).toEqual({
      namespace: 'shop',
      total: 2,
      template: {
        labels: { app: 'web' },
        spec: { containers: [{ resources: { requests: { cpu: '100m', memory: '1Gi' } } }] },
      },
      selector: { matchLabels: { app: 'web' } },
    });
  });

  it('has another total if one is given', () => {
    expect(requestIn(controllerText(), { total: 60 }).total).toBe(60);
    expect(requestIn(controllerText({ spec: 'replicas: 0' }), { total: 60 }).total).toBe(60);
  });

  it('keeps the hash of a new ReplicaSet if a constraint reads it', () => {
    const pod = `topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: DoNotSchedule
        labelSelector: {matchLabels: {app: web}}
        matchLabelKeys: [pod-template-hash]`;
    expect(requestIn(controllerText({ pod })).template.labels).toHaveProperty('pod-template-hash');
  });

  it('has the claims of a StatefulSet', () => {
    const spec = `serviceName: web
  replicas: 3
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], storageClassName: gp3, resources: {requests: {storage: 1Gi}}}`;
    expect(requestIn(controllerText({ kind: 'StatefulSet', spec }))).toMatchObject({
      total: 3,
      claims: [{ name: 'data', storageClassName: 'gp3', accessModes: ['ReadWriteOnce'] }],
      selector: { matchLabels: { app: 'web' } },
    });
  });

  it('selects the pods of a Job by its name, and ends once they were all bound', () => {
    expect(requestIn(job('{name: report, namespace: shop}'))).toMatchObject({
      total: 4,
      selector: { matchLabels: { 'batch.kubernetes.io/job-name': 'report' } },
      endsOnceBound: true,
    });
  });

  it('selects the pods of a Job without a known name, and of a CronJob, by the labels of their template', () => {
    expect(requestIn(job('{generateName: report-}', 'metadata: {labels: {app: report}}'))).toMatchObject({
      selector: { matchLabels: { app: 'report' } },
      endsOnceBound: true,
    });
    expect(requestIn(cronJob('{labels: {app: report}}'))).toMatchObject({
      total: 3,
      selector: { matchLabels: { app: 'report' } },
      template: { labels: { app: 'report' } },
      endsOnceBound: true,
    });
  });

  it('selects the pods of a Pod and of a PodTemplate by their labels', () => {
    const spec = 'spec: {containers: [{name: main, image: a:1}]}';
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: one, labels: {app: one}}\n${spec}\n`;
    const template = `apiVersion: v1\nkind: PodTemplate\nmetadata: {name: one}\ntemplate:\n  metadata: {labels: {app: one}}\n  ${spec}\n`;
    for (const text of [pod, template])
      expect(requestIn(text, { total: 5 })).toMatchObject({
        total: 5,
        selector: { matchLabels: { app: 'one' } },
      });
  });

  it('has no selector with headroom, and never ends early', () => {
    for (const text of [controllerText(), job('{name: report}'), cronJob('{}')]) {
      const request = requestIn(text, { headroom: true });
      expect(request).not.toHaveProperty('selector');
      expect(request).not.toHaveProperty('endsOnceBound');
    }
    const sized = requestedPods({ pods: 40, cpu: '500m', memory: '1Gi' });
    expect(requestOfWorkload(sized, { headroom: true })).toMatchObject({
      kind: 'request',
      request: { namespace: 'default', total: 40 },
    });
    expect(requestOfWorkload(sized, { headroom: false })).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('or give --headroom'),
    });
  });
});

describe('a workload is refused', () => {
  it.each([
    [
      'without a label of its pods',
      cronJob('{}'),
      {},
      /^CronJob shop\/report: its pods have no label that others lack/,
    ],
    ['without pods', controllerText({ spec: 'replicas: 0' }), {}, /0 replicas: give the number/],
    ['with more pods than a hold asks for', controllerText(), { total: 10_001 }, /at most 10,000$/],
    ['that names its node', controllerText({ pod: 'nodeName: ip-1' }), {}, /name their node ip-1/],
    ['of another scheduler', controllerText({ pod: 'schedulerName: volcano' }), {}, /the scheduler volcano/],
    ['that waits for a gate', controllerText({ pod: 'schedulingGates: [{name: kueue}]' }), {}, /gate kueue/],
  ])('%s', (_, text, wanted: Wanted, why) => {
    expect(whyNot(text, wanted)).toMatch(why);
  });
});

const cpu = fc.constantFrom('500m', '"2"', '2', '0.5', '"1e0"', '"+1"', '1.5', '"0"', 'null');
const memory = fc.constantFrom('1Gi', '"128974848"', '129e6', '129M', '"1E3"', '1.5Gi', '0');
const tolerations = fc.constantFrom(
  '',
  'tolerations: [{operator: Exists}]',
  'tolerations: [{key: team, operator: Equal, value: "a", effect: NoSchedule}]',
  'tolerations: [{key: team, value: b, effect: NoExecute}]',
);
const selectors = fc.constantFrom(
  '',
  'nodeSelector: {pool: gpu}',
  'nodeSelector: {pool: ""}',
  'affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: NotIn, values: [x, z]}]}]}}}',
  'affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}',
  'affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: a}}]}}',
);
const rest = fc.constantFrom(
  '',
  'initContainers: [{name: a, image: a, restartPolicy: Always, resources: {requests: {cpu: 10m}}}]',
  'initContainers: [{name: a, image: a, resources: {limits: {cpu: "4"}}}]',
  'overhead: {cpu: 250m}',
  'hostNetwork: false',
  'volumes: [{name: tmp, emptyDir: {}}, {name: own, persistentVolumeClaim: {claimName: own}}]',
  'topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway, labelSelector: {}}, {maxSkew: 2, minDomains: 3, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}, nodeTaintsPolicy: Honor}]',
);
const ports = fc.constantFrom(
  '',
  'ports: [{containerPort: 80}]',
  'ports: [{containerPort: 80, hostPort: 80}]',
);
const labels = fc.constantFrom(
  '{app: web}',
  '{app: web, tier: "1"}',
  '{app: web, empty: }',
  '{"app": "web"}',
);

const anyText = fc
  .record({
    cpu,
    memory,
    tolerations,
    selectors,
    rest,
    ports,
    labels,
    replicas: fc.integer({ min: 1, max: 40 }),
  })
  .map(
    (one) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: ${one.replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: ${one.labels}, annotations: {note: long}}
    spec:
      ${one.tolerations}
      ${one.selectors}
      ${one.rest}
      containers:
      - name: main
        image: web:1
        command: [a, b]
        ${one.ports}
        resources: {requests: {cpu: ${one.cpu}, memory: ${one.memory}}, limits: {example.com/fpga: 1}}
`,
  );

describe('the request of any Deployment', () => {
  const place = { autoScalingGroupName: 'workers', name: 'sale' };

  it('is read from its parameter as it was written', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const pods = requestIn(text);
        const hold = { ...place, nodes: 0, pods, until: start + hour, raiseMaxSize: false };
        expect(readHold(formatHold(hold), place)).toEqual({ kind: 'hold', hold });
      }),
    );
  });

  it('plans its pods as the manifest does', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [pod] = workloadsIn(text)[0]?.pods ?? [];
        const [own] = plannedPodsOf(requestIn(text), { name: 'sale', count: 1 }).pods;
        const named = { namespace: 'shop', name: 'one', labels: { app: 'web' } };
        const plannedOf = (one: typeof pod) => plannedPodOf({ ...one, metadata: named }, emptySurroundings);
        expect(plannedOf(own)).toEqual(plannedOf(pod));
      }),
    );
  });
});
