import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import type { ClusterRole, PolicyRule, Role } from 'kubernetes-types/rbac/v1.d.ts';
import { invalidValue, required } from './causes.ts';

/** ValidatePolicyRule of pkg/apis/rbac/validation. */
export const roleCauses = ({ rules }: Role): readonly StatusCause[] =>
  causesOf(rules, (rule) => [
    ['nonResourceURLs', 'namespaced rules cannot apply to non-resource URLs'],
    ...bothKinds(rule),
  ]);

export const clusterRoleCauses = ({ rules }: ClusterRole): readonly StatusCause[] =>
  causesOf(rules, bothKinds);

type Faults = readonly (readonly [field: keyof PolicyRule, why: string])[];

const bothKinds = ({ apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): Faults =>
  apiGroups.length + resources.length + resourceNames.length === 0
    ? []
    : [['nonResourceURLs', 'rules cannot apply to both regular resources and non-resource URLs']];

const causesOf = (
  rules: readonly PolicyRule[] | null | undefined,
  faultsOfUrls: (rule: PolicyRule) => Faults,
): readonly StatusCause[] =>
  (rules ?? []).flatMap((rule, index) => [
    ...missing(rule, `rules[${index}]`, [['verbs', 'verbs must contain at least one value']]),
    ...(isEmpty(rule.nonResourceURLs)
      ? missing(rule, `rules[${index}]`, [
          ['apiGroups', 'resource rules must supply at least one api group'],
          ['resources', 'resource rules must supply at least one resource'],
        ])
      : faultsOfUrls(rule).map(([field, why]) => invalidValue(`rules[${index}].${field}`, rule[field], why))),
  ]);

const missing = (rule: PolicyRule, path: string, faults: Faults): readonly StatusCause[] =>
  faults.filter(([field]) => isEmpty(rule[field])).map(([field, why]) => required(`${path}.${field}`, why));

const isEmpty = (values: readonly string[] | null | undefined): boolean => (values ?? []).length === 0;
