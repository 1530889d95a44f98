import { isDeepStrictEqual } from 'node:util';
import type { Container, Pod, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { forbiddenValue, invalidValue, required } from './causes.ts';
import { dnsLabelProblems } from './names.ts';

/** Of a pod, or of a workload's template at `spec.template.spec`. */
export function podSpecCauses(spec: Partial<PodSpec> | undefined, at: string): readonly StatusCause[] {
  const containers = spec?.containers ?? [];
  if (containers.length === 0) return [required(`${at}.containers`)];
  return containers.flatMap((container, place) => containerCauses(container, `${at}.containers[${place}]`));
}

function containerCauses({ name = '', image = '' }: Partial<Container>, at: string): readonly StatusCause[] {
  const named =
    name === ''
      ? [required(`${at}.name`)]
      : dnsLabelProblems(name).map((problem) => invalidValue(`${at}.name`, name, problem));
  return [...named, ...(image === '' ? [required(`${at}.image`)] : [])];
}

const mayChange =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** A pod stays where and as it is, but for its images, its deadline and more tolerations. */
export function podUpdateCauses(previous: Pod, next: Pod): readonly StatusCause[] {
  if (previous.spec === next.spec || isDeepStrictEqual(fixed(previous, previous), fixed(next, previous)))
    return [];
  return [forbiddenValue('spec', `pod updates may not change fields other than ${mayChange}`)];
}

/** The spec without what may change; tolerations that were there before stay. */
function fixed({ spec }: Pod, previous: Pod): unknown {
  if (spec === undefined) return undefined;
  const { activeDeadlineSeconds: _, tolerations = [], containers, initContainers, ...rest } = spec;
  const before = previous.spec?.tolerations ?? [];
  const kept = before.filter((one) => tolerations.some((other) => isDeepStrictEqual(one, other)));
  const isNegative = (previous.spec?.terminationGracePeriodSeconds ?? 0) < 0;
  return {
    ...rest,
    ...(isNegative && { terminationGracePeriodSeconds: 1 }),
    tolerations: kept.length,
    containers: containers.map(withoutImage),
    initContainers: initContainers?.map(withoutImage),
  };
}

const withoutImage = (container: Container): object => ({ ...container, image: '' });
