import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { forbiddenValue, invalidValue, unsupportedValue } from './causes.ts';
import { labelValueProblems, qualifiedNameProblems } from './names.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The server names taints as part of the metadata. Their keys and values are those of labels. */
export const nodeCauses = ({ spec }: Node): readonly StatusCause[] =>
  (spec?.taints ?? []).flatMap(({ key, value = '', effect }, place) => {
    const field = `metadata.taints[${place}]`;
    const ofValue = labelValueProblems(value).join(';');
    return [
      ...qualifiedNameProblems(key).map((problem) => invalidValue(`${field}.key`, key, problem)),
      ...(ofValue === '' ? [] : [invalidValue(`${field}.value`, value, ofValue)]),
      ...(effects.includes(effect) ? [] : [unsupportedValue(`${field}.effect`, effect, effects)]),
    ];
  });

/** An update looks at the whole node once more. */
export function nodeUpdateCauses(previous: Node, next: Node): readonly StatusCause[] {
  const before = previous.spec?.providerID ?? '';
  const stays = before === '' || before === next.spec?.providerID;
  const why = 'node updates may not change providerID except from "" to valid';
  return [...nodeCauses(next), ...(stays ? [] : [forbiddenValue('spec.providerID', why)])];
}
