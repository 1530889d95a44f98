import { isDeepStrictEqual } from 'node:util';
import { parts, partsWithout } from '../../rbac/parts.ts';
import { type Feature, type KubernetesObject, keyOf, type Observation } from './observation.ts';
import type { Action, Plan, Refusal } from './step.ts';

type Needed = Pick<Observation, 'manifests' | 'granted'> & { readonly features: ReadonlySet<Feature> };

/** The names of the objects that only features need that are off. */
const unneeded = (features: ReadonlySet<Feature>): ReadonlySet<string> =>
  new Set(partsWithout(features).flatMap((part) => parts[part]));

/** Drover's rights in the cluster: those of the features that are on, and no others. Pure. */
export function planRights({ manifests, granted, features }: Needed): Partial<Plan> {
  const off = unneeded(features);
  const wanted = manifests.filter(({ metadata }) => !off.has(metadata.name));
  const found = wanted.map((object) => ({ object, before: granted.get(keyOf(object)) }));
  const refusals = found.flatMap(({ object, before }) => otherRole(object, before) ?? []);
  const lacking = found.filter(
    ({ object, before }) => otherRole(object, before) === undefined && !isGranted(object, before),
  );
  const spare = manifests.filter((object) => off.has(object.metadata.name) && granted.has(keyOf(object)));
  const notices =
    spare.length === 0 ? [] : [`the cluster grants rights of features that are off: ${deleteCommand(spare)}`];
  if (lacking.length === 0) return { refusals, notices };
  const actions = lacking.map(
    ({ object, before }): Action => ({
      kind: 'apply',
      object: before ? withSubjectsOf(object, before) : object,
    }),
  );
  const created = lacking.filter(({ before }) => before === undefined);
  const changed = lacking.filter(({ before }) => before !== undefined);
  return {
    refusals,
    notices,
    steps: [
      {
        id: 'rights',
        group: null,
        subject: 'rights of Drover in the cluster',
        is: [
          ...created.map(({ object }) => `no ${keyOf(object)}`),
          ...changed.map(({ object }) => `${keyOf(object)} has other rights`),
        ].join(', '),
        shall: `as drover rbac prints for ${features.size === 0 ? 'a deployment without optional features' : [...features].toSorted().join(', ')}`,
        actions,
        risk: 'the identity of Drover may do what these roles say: deploy/rbac.yaml explains each rule',
        reversal:
          created.length > 0
            ? deleteCommand(created.map(({ object }) => object))
            : 'apply the manifests of your earlier version of Drover',
      },
    ],
  };
}

/** kubectl takes one namespace, so each has a command of its own. */
function deleteCommand(objects: readonly KubernetesObject[]): string {
  const namespaces = [...new Set(objects.map(({ metadata }) => metadata.namespace))];
  return namespaces
    .map((namespace) => {
      const inIt = objects.filter(({ metadata }) => metadata.namespace === namespace);
      const names = inIt.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`).join(' ');
      return `kubectl delete ${namespace === undefined ? '' : `-n ${namespace} `}${names}`;
    })
    .join(' && ');
}

interface Binding {
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly Subject[] | null;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** The API server does not let a binding change its role. */
function otherRole(object: KubernetesObject, before: KubernetesObject | undefined): Refusal | undefined {
  const wanted = (object as Binding).roleRef;
  const has = (before as Binding | undefined)?.roleRef;
  if (!wanted || !has || (wanted.kind === has.kind && wanted.name === has.name)) return undefined;
  return {
    subject: keyOf(object),
    reason: `it binds ${has.kind} ${has.name}, not ${wanted.kind} ${wanted.name}, and Kubernetes does not let a binding change its role`,
    remedy: `${deleteCommand([object])}, then try again`,
  };
}

/** A binding may have fewer subjects than the manifest: with a kubeconfig for each need, operators remove some on purpose. */
function isGranted(object: KubernetesObject, before: KubernetesObject | undefined): boolean {
  if (before === undefined) return false;
  const { subjects } = object as Binding;
  if (!subjects) return isDeepStrictEqual(rulesOf(object), rulesOf(before));
  const has = new Set(((before as Binding).subjects ?? []).map(subjectKey));
  return subjects.some((subject) => has.has(subjectKey(subject)));
}

/** Subjects that others have added stay. */
function withSubjectsOf(object: KubernetesObject, before: KubernetesObject): KubernetesObject {
  const { subjects } = object as Binding;
  return subjects ? { ...object, subjects: [...((before as Binding).subjects ?? []), ...subjects] } : object;
}

const subjectKey = ({ kind, name, namespace }: Subject): string => [kind, namespace, name].join('/');

/** The order of the rules, and of the words in them, has no meaning. */
const rulesOf = ({ rules }: KubernetesObject): readonly string[] =>
  (Array.isArray(rules) ? (rules as readonly Readonly<Record<string, unknown>>[]) : [])
    .map((rule) =>
      JSON.stringify(
        Object.entries(rule)
          .map(([key, words]) => [key, Array.isArray(words) ? [...(words as string[])].sort() : words])
          .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      ),
    )
    .toSorted();
