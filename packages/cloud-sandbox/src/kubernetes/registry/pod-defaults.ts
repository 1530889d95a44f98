import type { Container, PodSpec, ResourceRequirements, Toleration } from 'kubernetes-types/core/v1.d.ts';

type Template = Partial<PodSpec>;

/** The defaults of pods and of the templates of workloads. Source: pkg/apis/core/v1/defaults.go. */
export function templateDefaults(spec: Template): Template {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
    ...spec,
    ...(spec.containers !== undefined && { containers: spec.containers.map(containerDefaults) }),
    ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(containerDefaults) }),
  };
}

/** What only a pod is given: by defaults, and by the admission plugins ServiceAccount and Priority. */
export function podDefaults(spec: Template, isMirror: boolean): Template {
  const serviceAccountName = spec.serviceAccountName ?? 'default';
  const tolerations = spec.tolerations ?? [];
  return {
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    ...templateDefaults(spec),
    serviceAccountName,
    serviceAccount: serviceAccountName,
    tolerations: [...(isMirror ? tolerations : withOutageTolerations(tolerations))],
  };
}

function containerDefaults(container: Container): Container {
  const { name, image, resources, ...rest } = container;
  return {
    name,
    ...(image !== undefined && { image }),
    resources: withRequests(resources ?? {}),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest(image ?? '') ? 'Always' : 'IfNotPresent',
    ...rest,
  };
}

/** What is limited and not asked for is asked for up to its limit. */
function withRequests({ limits, requests, ...rest }: ResourceRequirements): ResourceRequirements {
  if (limits === undefined) return { ...rest, ...(requests && { requests }) };
  return { limits, requests: { ...limits, ...requests }, ...rest };
}

/** An image without a tag is the latest; one of a digest is not. */
function isLatest(image: string): boolean {
  if (image.includes('@')) return false;
  const [, tag = 'latest'] = /:([^:/]+)$/.exec(image) ?? [];
  return tag === 'latest';
}

/** As the DefaultTolerationSeconds admission plugin: a pod stays five minutes on a node that is not ready. */
function withOutageTolerations(tolerations: readonly Toleration[]): readonly Toleration[] {
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (taint) => !tolerations.some(({ key, effect }) => covers(key, taint) && covers(effect, 'NoExecute')),
  );
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return [...tolerations, ...added];
}

function covers(value: string | undefined, wanted: string): boolean {
  return value === undefined || value === '' || value === wanted;
}

const counted = ['cpu', 'memory'] as const;

/** `Guaranteed`, `Burstable` or `BestEffort`. Source: pkg/apis/core/helper/qos. */
export function qosClassOf({ containers = [] }: Template): string {
  const all = containers.flatMap(({ resources }) =>
    counted.map((name) => ({ limit: resources?.limits?.[name], request: resources?.requests?.[name] })),
  );
  if (all.every(({ limit, request }) => limit === undefined && request === undefined)) return 'BestEffort';
  return all.every(({ limit, request }) => limit !== undefined && limit === request)
    ? 'Guaranteed'
    : 'Burstable';
}
