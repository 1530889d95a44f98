import type { Finding } from './field-schemas.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The fields of Kubernetes 1.35 at the places that a plan reads. */
const podFields = words(
  'activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy enableServiceLinks ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride imagePullSecrets initContainers nodeName nodeSelector os overhead preemptionPolicy priority priorityClassName readinessGates resourceClaims resources restartPolicy runtimeClassName schedulerName schedulingGates securityContext serviceAccount serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations topologySpreadConstraints volumes workloadRef',
);
const containerFields = words(
  'args command env envFrom image imagePullPolicy lifecycle livenessProbe name ports readinessProbe resizePolicy resources restartPolicy restartPolicyRules securityContext startupProbe stdin stdinOnce terminationMessagePath terminationMessagePolicy tty volumeDevices volumeMounts workingDir',
);
const resourceFields = words('claims limits requests');
const affinityFields = words('nodeAffinity podAffinity podAntiAffinity');
const requirementFields = words(
  'preferredDuringSchedulingIgnoredDuringExecution requiredDuringSchedulingIgnoredDuringExecution',
);
const spreadFields = words(
  'labelSelector matchLabelKeys maxSkew minDomains nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable',
);
const workloadFields = words(
  'activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions concurrencyPolicy failedJobsHistoryLimit jobTemplate managedBy manualSelector maxFailedIndexes minReadySeconds ordinals parallelism paused persistentVolumeClaimRetentionPolicy podFailurePolicy podManagementPolicy podReplacementPolicy progressDeadlineSeconds replicas revisionHistoryLimit schedule selector serviceName startingDeadlineSeconds strategy successPolicy successfulJobsHistoryLimit suspend template timeZone ttlSecondsAfterFinished updateStrategy volumeClaimTemplates',
);

type Fields = Readonly<Record<string, unknown>>;

const mapAt = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Fields that are spelled nearly like those that a plan reads. kubectl refuses every unknown field; here other unknown fields are accepted, because a
 * newer Kubernetes may have them.
 */
export function* nearMisses(kind: string, object: Fields): Iterable<Finding> {
  const spec = mapAt(object.spec);
  if (kind === 'Pod') return yield* missesInPod(spec, ['spec']);
  if (kind === 'PodTemplate') return yield* missesInTemplate(object, []);
  yield* missesIn(spec, ['spec'], workloadFields);
  if (kind !== 'CronJob') return yield* missesInTemplate(spec, ['spec']);
  const job = mapAt(mapAt(spec.jobTemplate).spec);
  yield* missesIn(job, ['spec', 'jobTemplate', 'spec'], workloadFields);
  return yield* missesInTemplate(job, ['spec', 'jobTemplate', 'spec']);
}

const missesInTemplate = (owner: Fields, path: readonly PropertyKey[]): Iterable<Finding> =>
  missesInPod(mapAt(mapAt(owner.template).spec), [...path, 'template', 'spec']);

function* missesInPod(spec: Fields, path: readonly PropertyKey[]): Iterable<Finding> {
  yield* missesIn(spec, path, podFields);
  yield* missesIn(mapAt(spec.resources), [...path, 'resources'], resourceFields);
  const affinity = mapAt(spec.affinity);
  yield* missesIn(affinity, [...path, 'affinity'], affinityFields);
  for (const name of affinityFields)
    yield* missesIn(mapAt(affinity[name]), [...path, 'affinity', name], requirementFields);
  for (const [index, constraint] of listAt(spec.topologySpreadConstraints).entries())
    yield* missesIn(mapAt(constraint), [...path, 'topologySpreadConstraints', index], spreadFields);
  for (const list of ['initContainers', 'containers'])
    for (const [index, container] of listAt(spec[list]).entries()) {
      yield* missesIn(mapAt(container), [...path, list, index], containerFields);
      yield* missesIn(mapAt(mapAt(container).resources), [...path, list, index, 'resources'], resourceFields);
    }
}

function* missesIn(
  fields: Fields,
  path: readonly PropertyKey[],
  known: ReadonlySet<string>,
): Iterable<Finding> {
  for (const name of Object.keys(fields)) {
    if (known.has(name)) continue;
    const near = nearestOf(name, known);
    if (near !== undefined)
      yield { path: [...path, name], message: `is not a field of Kubernetes: did you mean ${near}?` };
  }
}

/** A known name that another one is spelled nearly like. */
export const nearestOf = (name: string, known: ReadonlySet<string>): string | undefined =>
  [...known].find((one) => isNear(name, one));

/** Other letters in size only, or one letter too many, too few or wrong, or two swapped. */
function isNear(one: string, other: string): boolean {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  if (one.length < 4 || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  );
}
