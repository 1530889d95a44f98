import { describe, expect, it } from 'vitest';
import { readWorkloads } from '../../../../shared/capacity/manifests/read-workloads.ts';
import { controllerText, problemsIn, read, workloadsIn } from './fixtures.ts';

const podSpec =
  '{restartPolicy: Never, containers: [{name: main, image: a, resources: {requests: {cpu: 1, memory: 1Gi}}}]}';

const jobText = (spec: string, metadata = '{name: load}'): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: ${metadata}\nspec: {${spec}, template: {spec: ${podSpec}}}\n`;

describe('the workloads of manifests', () => {
  it('of a Deployment have a pod for each replica, with the label of a new ReplicaSet', () => {
    const [workload] = workloadsIn(controllerText());
    expect(workload).toMatchObject({
      source: { file: 'web.yaml', document: 1 },
      kind: 'Deployment',
      namespace: 'shop',
      name: 'web',
      replicas: 2,
      selector: { namespace: 'shop', labelSelector: { matchLabels: { app: 'web' } } },
      claims: [],
      notes: [],
    });
    const labels = workload?.pods.map(({ metadata }) => metadata?.labels) ?? [];
    expect(labels).toEqual([labels[0], labels[0]]);
    expect(labels[0]).toEqual({ app: 'web', 'pod-template-hash': expect.stringMatching(/^[a-z0-9]{10}$/) });
  });

  it('of a Deployment have another hash once its template changes, and the same otherwise', () => {
    const hashOf = (text: string) => workloadsIn(text)[0]?.pods[0]?.metadata?.labels?.['pod-template-hash'];
    expect(hashOf(controllerText({ spec: 'replicas: 9' }))).toBe(hashOf(controllerText()));
    expect(hashOf(controllerText({ resources: '{requests: {cpu: 2}}' }))).not.toBe(hashOf(controllerText()));
  });

  it.each([
    ['one pod without replicas', 'minReadySeconds: 1', 1],
    ['one pod if replicas is null', 'replicas: null', 1],
    ['no pod with replicas 0', 'replicas: 0', 0],
    ['as many as an octal number of YAML 1.1 says, as in kubectl', 'replicas: 010', 8],
  ])('have %s', (_, spec, count) => {
    const [workload] = workloadsIn(controllerText({ spec }));
    expect([workload?.replicas, workload?.pods.length]).toEqual([count, count]);
  });

  it('of a StatefulSet have its names, its first number and a claim for each pod', () => {
    const claim =
      '{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}';
    const [workload] = workloadsIn(
      controllerText({
        kind: 'StatefulSet',
        spec: `replicas: 2\n  ordinals: {start: 3}\n  volumeClaimTemplates: [${claim}]`,
      }),
    );
    expect(workload?.pods.map(({ metadata }) => metadata?.name)).toEqual(['web-3', 'web-4']);
    expect(workload?.claims.map(({ metadata }) => metadata?.name)).toEqual(['data-web-3', 'data-web-4']);
    expect(workload?.pods[0]?.metadata?.labels).toMatchObject({
      'statefulset.kubernetes.io/pod-name': 'web-3',
      'controller-revision-hash': expect.stringMatching(/^web-/),
    });
  });

  it.each([
    ['parallelism: 5, completions: 3', 3],
    ['parallelism: 2, completions: 30', 2],
    ['parallelism: 4', 4],
    ['completions: 7', 1],
    ['parallelism: 0', 0],
    ['completionMode: Indexed, completions: 3, parallelism: 9', 3],
  ])('of a Job with %s have %i pods at once', (spec, count) => {
    expect(workloadsIn(jobText(spec))[0]?.replicas).toBe(count);
  });

  it('of a Job are selected by the name of the Job, unless the API server makes the name', () => {
    expect(workloadsIn(jobText('parallelism: 1'))[0]?.selector?.labelSelector).toEqual({
      matchLabels: { 'batch.kubernetes.io/job-name': 'load' },
    });
    const [made] = workloadsIn(jobText('parallelism: 1', '{generateName: load-}'));
    expect([made?.name, made?.selector]).toEqual(['load-new', undefined]);
  });

  it('of a CronJob are one run of it', () => {
    const [workload] = workloadsIn(
      `apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: load}\nspec: {schedule: "0 9 * * *", suspend: true, jobTemplate: {spec: {parallelism: 3, template: {spec: ${podSpec}}}}}`,
    );
    expect([workload?.replicas, workload?.selector]).toEqual([3, undefined]);
    expect(workload?.notes).toEqual([
      'is suspended: it is planned as if it were resumed',
      'is planned with one run: runs that overlap (concurrencyPolicy Allow) need more',
    ]);
  });

  it.each(['ReplicaSet', 'Deployment', 'StatefulSet'])('of a %s are selected by its selector', (kind) => {
    expect(workloadsIn(controllerText({ kind }))[0]?.selector).toEqual({
      namespace: 'shop',
      labelSelector: { matchLabels: { app: 'web' } },
    });
  });

  it('of a Pod and a PodTemplate are selected by their labels, and by nothing without labels', () => {
    const texts = [
      `{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: a}}, spec: ${podSpec}}`,
      `{apiVersion: v1, kind: PodTemplate, metadata: {name: b}, template: {metadata: {labels: {app: b}}, spec: ${podSpec}}}`,
      `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: ${podSpec}}`,
    ];
    const selectors = workloadsIn(texts.join('\n---\n')).map(({ selector }) => selector?.labelSelector);
    expect(selectors).toEqual([{ matchLabels: { app: 'a' } }, { matchLabels: { app: 'b' } }, undefined]);
  });

  it('of a ReplicationController without a selector are selected by the labels of its template', () => {
    const text = `apiVersion: v1\nkind: ReplicationController\nmetadata: {name: web}\nspec: {replicas: 2, template: {metadata: {labels: {app: old}}, spec: {containers: [{name: a, image: a}]}}}`;
    expect(workloadsIn(text)[0]?.selector?.labelSelector).toEqual({ matchLabels: { app: 'old' } });
  });

  it('are in the namespace of the context if they name none', () => {
    const text = controllerText().replace(', namespace: shop', '');
    const reading = readWorkloads([{ name: '-', text }], { defaultNamespace: 'team' });
    expect(reading.workloads[0]?.pods[0]?.metadata?.namespace).toBe('team');
  });

  it('of another namespace than a required one are refused, and of the others all are in it', () => {
    const texts = [
      controllerText(),
      jobText('parallelism: 1'),
      '{apiVersion: v1, kind: Secret, metadata: {namespace: b}}',
    ];
    const read = (requiredNamespace: string) =>
      readWorkloads([{ name: '-', text: texts.join('\n---\n') }], { requiredNamespace });
    expect(read('shop').workloads.map(({ namespace }) => namespace)).toEqual(['shop', 'shop']);
    expect(read('other')).toMatchObject({
      workloads: [],
      problems: [
        {
          document: 1,
          field: 'metadata.namespace',
          message:
            'the namespace from the provided object "shop" does not match the namespace "other": give that one, or none',
        },
      ],
    });
  });

  it('are found in lists in lists, in lists of one kind and in JSON', () => {
    const {
      apiVersion: _,
      kind: __,
      ...bare
    } = {
      apiVersion: 1,
      kind: 1,
      metadata: { name: 'c' },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    };
    const pod = (name: string) => ({ ...bare, apiVersion: 'v1', kind: 'Pod', metadata: { name } });
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [
        pod('a'),
        { apiVersion: 'v1', kind: 'List', items: [pod('b')] },
        { apiVersion: 'v1', kind: 'PodList', items: [bare] },
        { apiVersion: 'v1', kind: 'List' },
      ],
    };
    for (const text of [JSON.stringify(list), JSON.stringify(list, undefined, 2)])
      expect(workloadsIn(text).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('are those of several files and documents, in their order', () => {
    const { workloads } = readWorkloads([
      {
        name: 'a.yaml',
        text: `---\n# nothing\n---\n${controllerText({ name: 'one' })}---\n${controllerText({ name: 'two' })}`,
      },
      { name: 'b.yaml', text: controllerText({ name: 'three' }) },
    ]);
    expect(workloads.map(({ name, source }) => [name, source?.file, source?.document])).toEqual([
      ['one', 'a.yaml', 1],
      ['two', 'a.yaml', 2],
      ['three', 'b.yaml', 1],
    ]);
  });
});

describe('beside the workloads', () => {
  it('claims, storage classes, namespaces and DaemonSets are returned for the plan', () => {
    const { surroundings, workloads, notes } = read(
      [
        '{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}',
        '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1}}}}',
        '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: ebs.csi.aws.com}',
        controllerText({ kind: 'DaemonSet', name: 'agent', spec: 'minReadySeconds: 1' }),
      ].join('\n---\n'),
    );
    expect(workloads).toEqual([]);
    expect(surroundings).toMatchObject({
      claims: [{ metadata: { name: 'data', namespace: 'default' } }],
      storageClasses: [{ provisioner: 'ebs.csi.aws.com' }],
      namespaces: [{ metadata: { labels: { team: 'a' } } }],
      daemonSets: [{ metadata: { name: 'agent', namespace: 'shop' } }],
    });
    expect(notes).toEqual([
      'DaemonSet agent: comes with each node that it matches: its pods take room there, and are not planned themselves',
    ]);
  });

  it('objects without pods are counted, and CustomResourceDefinitions are not even parsed', () => {
    const definition = 'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: [';
    const { notes, problems } = read(
      [
        definition,
        definition,
        '{apiVersion: v1, kind: Service}',
        '{apiVersion: v1, kind: ConfigMap, data: {a: "{{ .Values.x }}"}}',
      ].join('\n---\n'),
    );
    expect([notes, problems]).toEqual([
      ['skipped, without pods: 1 ConfigMap, 1 Service, 2 CustomResourceDefinition'],
      [],
    ]);
  });

  it.each([
    ['argoproj.io/v1alpha1', 'Rollout', 'its controller makes pods, which are not planned'],
    ['serving.knative.dev/v1', 'Service', 'its controller makes pods, which are not planned'],
    [
      'example.com/v1',
      'Fleet',
      'this kind is not known here: if its controller makes pods, they are not planned',
    ],
    ['v1', 'LimitRange', 'may add requests to pods of its namespace, which are not counted'],
  ])('%s %s has a note', (apiVersion, kind, note) => {
    const { notes } = read(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: x}}`);
    expect(notes[0]).toBe(`${kind}${apiVersion === 'v1' ? '' : ` of ${apiVersion}`} x: ${note}`);
  });

  it('an autoscaler of the same manifests is named at its workload', () => {
    const autoscaler = (kind: string, spec: string, version = 'autoscaling/v2') =>
      `{apiVersion: ${version}, kind: ${kind}, metadata: {name: own, namespace: shop}, spec: ${spec}}`;
    const target = 'TargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}';
    const [workload] = workloadsIn(
      [
        controllerText(),
        autoscaler('HorizontalPodAutoscaler', `{scale${target}, minReplicas: 3, maxReplicas: 9}`),
        autoscaler('VerticalPodAutoscaler', `{t${target.slice(1)}}`, 'autoscaling.k8s.io/v1'),
        autoscaler('ScaledObject', '{scaleTargetRef: {name: web}}', 'keda.sh/v1alpha1'),
        autoscaler(
          'HorizontalPodAutoscaler',
          '{scaleTargetRef: {kind: Deployment, name: api}, maxReplicas: 9}',
        ),
      ].join('\n---\n'),
    );
    expect(workload?.notes).toEqual([
      'HorizontalPodAutoscaler own changes its number of pods between 3 and 9: 2 are planned',
      'VerticalPodAutoscaler own may change the requests of its pods, which is not counted',
      'ScaledObject own changes its number of pods: 2 are planned',
    ]);
  });

  it.each([
    ['pods without requests', { resources: '{}' }, 'requests no cpu and no memory'],
    ['a RuntimeClass', { pod: 'runtimeClassName: gvisor' }, 'has runtimeClassName gvisor: the overhead'],
    ['a node', { pod: 'nodeName: node-1' }, 'names its node node-1: it can run there only'],
    [
      'memory in thousandths of a byte',
      { resources: '{requests: {cpu: 1, memory: 512m}}' },
      'requests 512m of memory in container main',
    ],
    [
      'the sidecar of Linkerd',
      { labels: '{app: web}, annotations: {linkerd.io/inject: enabled}' },
      'gets a sidecar of Linkerd',
    ],
    [
      'the sidecar of Istio',
      { labels: '{app: web, sidecar.istio.io/inject: "true"}' },
      'gets a sidecar of Istio',
    ],
  ])('%s: the workload has a note', (_, settings, note) => {
    const notes = workloadsIn(controllerText(settings))[0]?.notes ?? [];
    expect(notes.map((text) => text.slice(0, note.length))).toEqual([note]);
  });

  it('a RuntimeClass whose overhead is in the manifest has no note', () => {
    const pod = 'runtimeClassName: gvisor\n      overhead: {cpu: 250m, memory: 1}';
    expect(workloadsIn(controllerText({ pod }))[0]?.notes).toEqual([]);
  });

  it('what a controller of the same manifests makes is left out, as in the output of kubectl get all', () => {
    const owned = controllerText({ kind: 'ReplicaSet', name: 'web-5d' }).replace(
      'namespace: shop}',
      'namespace: shop, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: a, controller: true}]}',
    );
    const { workloads, notes } = read(`${owned}---\n${controllerText()}`);
    expect(workloads.map(({ kind }) => kind)).toEqual(['Deployment']);
    expect(notes).toEqual(['1 object is left out, because a controller of the same manifests makes them']);
    expect(workloadsIn(owned).map(({ kind }) => kind)).toEqual(['ReplicaSet']);
  });
});

describe('manifests with a problem', () => {
  it('have no workloads at all, also if others are right', () => {
    const { workloads, surroundings, notes } = read(
      `${controllerText()}---\n${controllerText({ name: 'B' })}`,
    );
    expect([workloads, notes, Object.values(surroundings).flat()]).toEqual([[], [], []]);
  });

  it('name each document with its field', () => {
    expect(
      problemsIn(
        `${controllerText({ spec: 'replicas: -1' })}---\n${controllerText({ name: 'two', spec: 'replicas: "3"' })}`,
      ),
    ).toEqual([
      'document 1, spec.replicas: must be at least 0, and is -1',
      'document 2, spec.replicas: must be a whole number, and is the text "3"',
    ]);
  });

  it('are those with more pods than a plan takes, in one workload or in all', () => {
    expect(problemsIn(controllerText({ spec: 'replicas: 100001' }))).toEqual([
      'document 1, spec.replicas: makes 100001 pods in all: a plan is made for at most 100000',
    ]);
    const half = (name: string) => controllerText({ name, spec: 'replicas: 60000' });
    expect(problemsIn(`${half('one')}---\n${half('two')}`)).toEqual([
      'document 2, spec.replicas: makes 120000 pods in all: a plan is made for at most 100000',
    ]);
  });

  it('are those in which one object is there twice', () => {
    expect(problemsIn(`${controllerText()}---\n${controllerText()}`)).toEqual([
      'document 2, metadata.name: Deployment shop/web is in web.yaml, document 1 too',
    ]);
  });
});
