import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import * as z from 'zod/mini';
import { autoscalersOf, withAutoscalerNotes } from './autoscalers.ts';
import { readDocuments } from './documents.ts';
import { nearMisses } from './field-names.ts';
import { findingsOf } from './issues.ts';
import { workloadOf } from './make-workload.ts';
import { quoted } from './names.ts';
import { isFoundProblem, isObject, type ManifestObject, objectsOf, problemAt } from './objects.ts';
import { identityIn, withoutOwned } from './owners.ts';
import { type ManifestProblem, problemText } from './problem.ts';
import { notesOnSkipped } from './skipped.ts';
import { unrendered } from './templating.ts';
import { type ManifestFile, type ManifestReading, type ManifestSurroundings, mostPods } from './workload.ts';
import { shapeOf, type WorkloadObject, workloadSchemas } from './workload-kinds.ts';
import {
  autoscalerObject,
  claimObject,
  daemonSetObject,
  namespaceObject,
  storageClassObject,
} from './workload-schemas.ts';

const noSurroundings: ManifestSurroundings = {
  claims: [],
  storageClasses: [],
  namespaces: [],
  daemonSets: [],
};

/** The namespace of objects that name none. */
interface ManifestNamespace {
  /** As of the context of the kubeconfig. */
  readonly defaultNamespace?: string;
  /** As of `--namespace`: an object that names another one is a mistake. */
  readonly requiredNamespace?: string;
}

/**
 * Reads the workloads of manifests as kubectl does, and checks what a plan reads by the rules of the API server. With a problem there is nothing but
 * problems.
 */
export function readWorkloads(
  files: readonly ManifestFile[],
  { requiredNamespace, defaultNamespace = requiredNamespace ?? 'default' }: ManifestNamespace = {},
): ManifestReading {
  const { documents, definitions, problems: unread } = readDocuments(files);
  const found = documents.flatMap((document) => objectsOf(document));
  const objects = withoutOwned(found.filter(isObject));
  const problems = [
    ...unread,
    ...found.filter(isFoundProblem),
    ...objects.kept.flatMap(problemsOf),
    ...(requiredNamespace === undefined ? [] : problemsOfOther(objects.kept, requiredNamespace)),
    ...problemsOfDoubled(objects.kept, defaultNamespace),
  ];
  if (problems.length > 0)
    return { workloads: [], surroundings: noSurroundings, notes: [], problems: withoutRepeats(problems) };
  const planned = objects.kept.filter(({ meaning }) => meaning.meaning === 'workload');
  const tooMany = problemOfTooMany(planned);
  if (tooMany) return { workloads: [], surroundings: noSurroundings, notes: [], problems: [tooMany] };
  const workloads = planned.map((object) => ({
    ...workloadOf(workloadObjectOf(object), defaultNamespace),
    source: { file: object.file, document: object.document },
  }));
  return {
    workloads: withAutoscalerNotes(workloads, autoscalersOf(objects.kept, defaultNamespace)),
    surroundings: surroundingsOf(objects.kept, defaultNamespace),
    notes: [...objects.notes, ...notesOnSkipped(objects.kept, definitions)],
    problems: [],
  };
}

const surroundingSchemas: Readonly<Record<string, () => z.ZodMiniType>> = {
  DaemonSet: daemonSetObject,
  PersistentVolumeClaim: claimObject,
  Namespace: namespaceObject,
  StorageClass: storageClassObject,
  HorizontalPodAutoscaler: autoscalerObject,
  ScaledObject: autoscalerObject,
  VerticalPodAutoscaler: autoscalerObject,
};

const schemaOf = ({ kind, meaning }: ManifestObject): (() => z.ZodMiniType) | undefined =>
  meaning.meaning === 'workload'
    ? workloadSchemas[kind as WorkloadObject['kind']]
    : meaning.meaning === 'surroundings' || meaning.meaning === 'autoscaler'
      ? surroundingSchemas[kind]
      : undefined;

function problemsOf(object: ManifestObject): readonly ManifestProblem[] {
  const schema = schemaOf(object);
  if (schema === undefined) return [];
  const { file, document, kind, value, text } = object;
  const template = unrendered(text);
  if (template !== undefined) return [{ file, document, message: template }];
  const result = z.safeParse(schema(), value);
  const misses = object.meaning.meaning === 'workload' || kind === 'DaemonSet' ? nearMisses(kind, value) : [];
  const findings = [...(result.error ? findingsOf(result.error.issues, value) : []), ...misses];
  return findings.map(({ path, message }) => problemAt(object, path, message));
}

/** kubectl refuses an object of another namespace than that of `-n` (cli-runtime, `RequireNamespace`). */
function problemsOfOther(
  objects: readonly ManifestObject[],
  requiredNamespace: string,
): readonly ManifestProblem[] {
  return objects.flatMap((object) => {
    const { namespace = requiredNamespace } = identityIn(object);
    if (namespace === requiredNamespace || !isNamespaced(object)) return [];
    return [
      problemAt(
        object,
        ['metadata', 'namespace'],
        `the namespace from the provided object ${quoted(namespace)} does not match the namespace ${quoted(requiredNamespace)}: give that one, or none`,
      ),
    ];
  });
}

/** Only objects that a plan reads: a ConfigMap elsewhere changes nothing. */
const isNamespaced = ({ kind, meaning }: ManifestObject): boolean =>
  ['workload', 'autoscaler'].includes(meaning.meaning) ||
  kind === 'DaemonSet' ||
  kind === 'PersistentVolumeClaim';

/** Two objects of one name would be one object in the cluster: the second replaces the first. */
function problemsOfDoubled(
  objects: readonly ManifestObject[],
  defaultNamespace: string,
): readonly ManifestProblem[] {
  const seen = new Map<string, ManifestObject>();
  return objects.flatMap((object) => {
    const { kind, meaning } = object;
    const { name, namespace } = identityIn(object);
    if (!isNamespaced(object) || meaning.meaning === 'autoscaler' || name === '') return [];
    const key = `${kind} ${namespace ?? defaultNamespace}/${name}`;
    const first = seen.get(key);
    seen.set(key, object);
    return first === undefined
      ? []
      : [
          problemAt(
            object,
            ['metadata', 'name'],
            `${key} is in ${first.file}, document ${first.document} too`,
          ),
        ];
  });
}

function withoutRepeats(problems: readonly ManifestProblem[]): readonly ManifestProblem[] {
  return [...new Map(problems.map((problem) => [problemText(problem), problem])).values()];
}

/** The object with its kind. Its schema has accepted it, so it has the type of its kind in the fields that a plan reads. */
const withKind = ({ kind, value }: ManifestObject): object => ({ ...value, kind });

const workloadObjectOf = (object: ManifestObject): WorkloadObject => withKind(object) as WorkloadObject;

function problemOfTooMany(objects: readonly ManifestObject[]): ManifestProblem | undefined {
  let total = 0;
  for (const object of objects) {
    total += shapeOf(workloadObjectOf(object)).replicas;
    if (total > mostPods)
      return problemAt(
        object,
        ['spec', object.kind === 'Job' ? 'parallelism' : 'replicas'],
        `makes ${total} pods in all: a plan is made for at most ${mostPods}`,
      );
  }
  return undefined;
}

function surroundingsOf(objects: readonly ManifestObject[], defaultNamespace: string): ManifestSurroundings {
  const ofKind = (kind: string): readonly object[] =>
    objects
      .filter((object) => object.kind === kind && object.meaning.meaning === 'surroundings')
      .map(withKind);
  const placed = <T extends { readonly metadata?: ObjectMeta }>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, namespace: object.metadata?.namespace ?? defaultNamespace },
  });
  return {
    claims: (ofKind('PersistentVolumeClaim') as readonly PersistentVolumeClaim[]).map(placed),
    storageClasses: ofKind('StorageClass') as readonly StorageClass[],
    namespaces: ofKind('Namespace'),
    daemonSets: (ofKind('DaemonSet') as readonly DaemonSet[]).map(placed),
  };
}
